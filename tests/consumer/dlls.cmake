# Installs the component `dlls` of BUILD to PREFIX, and demands these files and no other.
set(expected share/retropose/replacement/AniMesh.dll share/retropose/replacement/Ngi32.dll
             share/retropose/retropose-host.exe)
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX} --component dlls
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE found LIST_DIRECTORIES OFF RELATIVE ${PREFIX} ${PREFIX}/*)
list(SORT found)
if(NOT found STREQUAL expected)
    message(FATAL_ERROR "installed\n${found}\ninstead of\n${expected}")
endif()
