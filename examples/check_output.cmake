# Runs COMMAND and compares its output, line ends aside, with the file EXPECTED.
execute_process(COMMAND ${COMMAND} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\r" "" output "${output}")
file(READ ${EXPECTED} expected)
if(NOT output STREQUAL expected)
    message(FATAL_ERROR "printed\n${output}\ninstead of\n${expected}")
endif()
