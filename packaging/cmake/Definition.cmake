# Writes DEFINITION, which says what retropose-1.dll shows: each function of LIBRARY that begins with Rp.
# tests/whole/consumer/installed demands that these are the ones that the public headers declare.
execute_process(COMMAND ${NM} --defined-only --extern-only ${LIBRARY} OUTPUT_VARIABLE symbols
                COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " T _?Rp[A-Za-z0-9_]+" names "${symbols}")
list(TRANSFORM names REPLACE " T _?" "    ")
list(SORT names)
list(JOIN names "\n" names)
file(WRITE ${DEFINITION} "EXPORTS\n${names}\n")
