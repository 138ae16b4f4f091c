# Installs the component `dlls` of BUILD to PREFIX, and demands these files and no other.
set(expected lib/retropose/replacement/AniMesh.dll lib/retropose/replacement/Ngi32.dll
             lib/retropose/retropose-host.exe
             lib/retropose/standin-wxyz/AniMesh.dll lib/retropose/standin-wxyz/Ngi32.dll
             lib/retropose/standin/AniMesh.dll lib/retropose/standin/Ngi32.dll
             lib/retropose/standin/README.txt)
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX} --component dlls
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE found LIST_DIRECTORIES OFF RELATIVE ${PREFIX} ${PREFIX}/*)
list(SORT found)
if(NOT found STREQUAL expected)
    message(FATAL_ERROR "installed\n${found}\ninstead of\n${expected}")
endif()
