# cmake -DMADE=... -DFOLDER=... -P truth.cmake: what the pair in FOLDER is, beside it. The overlay is for
# these very files: it has their digests.
file(COPY ${MADE}/truth.txt ${MADE}/truth.profile DESTINATION ${FOLDER})
file(READ ${MADE}/functions.overlay functions)
set(text "retropose-overlay 1\n")
foreach(dll Ngi32 AniMesh)
    string(TOLOWER ${dll} module)
    file(SIZE ${FOLDER}/${dll}.dll size)
    file(SHA256 ${FOLDER}/${dll}.dll digest)
    string(APPEND text "module ${module} size ${size} sha256 ${digest}\n")
endforeach()
file(WRITE ${FOLDER}/truth.overlay "${text}${functions}")
