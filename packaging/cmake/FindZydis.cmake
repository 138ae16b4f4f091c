# Zydis, the decoder of machine code, as the target Zydis::Zydis. Its packages have no configuration for
# CMake in every version, and Windows and i686 have the static library of scripts/setup-deps.
find_path(ZYDIS_INCLUDE_DIR Zydis/Zydis.h)
find_library(ZYDIS_LIBRARY NAMES Zydis)
mark_as_advanced(ZYDIS_INCLUDE_DIR ZYDIS_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Zydis REQUIRED_VARS ZYDIS_LIBRARY ZYDIS_INCLUDE_DIR)

if(Zydis_FOUND AND NOT TARGET Zydis::Zydis)
    add_library(Zydis::Zydis UNKNOWN IMPORTED)
    set_target_properties(Zydis::Zydis PROPERTIES
        IMPORTED_LOCATION "${ZYDIS_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${ZYDIS_INCLUDE_DIR}")
    if(ZYDIS_LIBRARY MATCHES "\\.a$")
        set_target_properties(Zydis::Zydis PROPERTIES
            INTERFACE_COMPILE_DEFINITIONS "ZYDIS_STATIC_BUILD;ZYCORE_STATIC_BUILD")
    endif()
endif()
