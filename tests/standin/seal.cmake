# Ends a stand-in's file with a line that says what the bytes before it are, so that a file that was
# changed afterwards is not taken for the one that was built (Provider_IsModified). A loader does not
# read behind the last section. FILE: the DLL, just linked.
file(SHA256 ${FILE} digest)
file(APPEND ${FILE} "RETROPOSE-STANDIN ${digest}\n")
