# What `cmake --install BUILD --prefix PREFIX` installs, by component:
#
#   library   the static and shared libraries, and what find_package() and pkg-config read
#   headers   include/retropose/
#   command   the command `retropose`
#   dlls      of the Windows build: the two DLLs, the stand-in, and the host that runs them
#   docs      the pages, the licence and the examples
#
# An installed tree may be moved as a whole: nothing in it names the folder that it is in.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/retropose)

# ---- library and headers -------------------------------------------------------------------------

set(installed ${RETROPOSE_LIBRARIES} ${offers} libretropose_static libretropose)
if(TARGET libretropose_shared)
    list(APPEND installed libretropose_shared)
endif()
install(TARGETS ${installed} EXPORT retropose
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT library
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT retropose NAMESPACE retropose:: FILE retropose-targets.cmake
    DESTINATION ${package} COMPONENT library)

set(RETROPOSE_NEEDS_ZLIB OFF)
set(RETROPOSE_NEEDS_CJSON OFF)
set(foreign_packages)
set(foreign_libraries)
foreach(foreign IN LISTS RETROPOSE_FOREIGN)
    if(foreign STREQUAL "ZLIB::ZLIB")
        set(RETROPOSE_NEEDS_ZLIB ON)
        list(APPEND foreign_packages zlib)
    elseif(foreign STREQUAL "cJSON::cJSON")
        set(RETROPOSE_NEEDS_CJSON ON)
        list(APPEND foreign_packages libcjson)
    elseif(foreign STREQUAL "m")
        set(foreign_libraries -lm)
    else()
        message(FATAL_ERROR "The library links ${foreign}, which its packages do not mention")
    endif()
endforeach()

configure_package_config_file(
    ${CMAKE_CURRENT_LIST_DIR}/retropose-config.cmake.in ${retropose_BINARY_DIR}/retropose-config.cmake
    INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${retropose_BINARY_DIR}/retropose-config-version.cmake
    VERSION ${retropose_VERSION} COMPATIBILITY SameMajorVersion)
install(FILES ${retropose_BINARY_DIR}/retropose-config.cmake
              ${retropose_BINARY_DIR}/retropose-config-version.cmake
              ${CMAKE_CURRENT_LIST_DIR}/FindcJSON.cmake
    DESTINATION ${package} COMPONENT library)

list(JOIN foreign_packages ", " foreign_packages)
# Whoever links the static library needs what it needs, with pkg-config's --static where -lretropose
# else means the shared one.
set(RETROPOSE_PC_LIBS "-L\${libdir} -lretropose")
set(RETROPOSE_PC_LIBS_PRIVATE ${foreign_libraries})
set(RETROPOSE_PC_REQUIRES)
set(RETROPOSE_PC_REQUIRES_PRIVATE ${foreign_packages})
if(NOT TARGET libretropose_shared)
    string(APPEND RETROPOSE_PC_LIBS " ${RETROPOSE_PC_LIBS_PRIVATE}")
    set(RETROPOSE_PC_LIBS_PRIVATE)
    set(RETROPOSE_PC_REQUIRES ${RETROPOSE_PC_REQUIRES_PRIVATE})
    set(RETROPOSE_PC_REQUIRES_PRIVATE)
endif()
file(RELATIVE_PATH RETROPOSE_PREFIX_FROM_PC
    /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${CMAKE_CURRENT_LIST_DIR}/retropose.pc.in ${retropose_BINARY_DIR}/retropose.pc @ONLY)
install(FILES ${retropose_BINARY_DIR}/retropose.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)

install(DIRECTORY ${retropose_SOURCE_DIR}/include/retropose ${retropose_BINARY_DIR}/include/retropose
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT headers FILES_MATCHING PATTERN "*.h")

# ---- what else there is --------------------------------------------------------------------------

if(RETROPOSE_TOOLS)
    install(TARGETS retropose RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
endif()

# Beside the command, which looks here for them (cli/place.c): the DLLs are data, whatever system the
# command is for.
if(RETROPOSE_TOOLS AND WIN32)
    set(place share/retropose)
    install(TARGETS ngi32_dll animesh_dll
        RUNTIME DESTINATION ${place}/replacement COMPONENT dlls
        ARCHIVE EXCLUDE_FROM_ALL DESTINATION ${place}/replacement COMPONENT imports)
    install(TARGETS retropose-host RUNTIME DESTINATION ${place} COMPONENT dlls)
endif()

install(FILES ${retropose_SOURCE_DIR}/LICENSE ${retropose_SOURCE_DIR}/README.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT docs)
install(DIRECTORY ${retropose_SOURCE_DIR}/docs ${retropose_SOURCE_DIR}/examples
    DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT docs)
# The pages as a site, if scripts/site has made it.
install(DIRECTORY ${retropose_SOURCE_DIR}/build/site
    DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT docs OPTIONAL)
