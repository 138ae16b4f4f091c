# cJSON, as the target cJSON::cJSON. A part of this project and of what it installs, because the files
# that cJSON itself installs are not everywhere, and name other targets in each version.
find_path(CJSON_INCLUDE_DIR cjson/cJSON.h)
find_library(CJSON_LIBRARY NAMES cjson)
mark_as_advanced(CJSON_INCLUDE_DIR CJSON_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(cJSON REQUIRED_VARS CJSON_LIBRARY CJSON_INCLUDE_DIR)

if(cJSON_FOUND AND NOT TARGET cJSON::cJSON)
    add_library(cJSON::cJSON UNKNOWN IMPORTED)
    set_target_properties(cJSON::cJSON PROPERTIES
        IMPORTED_LOCATION "${CJSON_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${CJSON_INCLUDE_DIR}")
    if(NOT WIN32)
        set_target_properties(cJSON::cJSON PROPERTIES INTERFACE_LINK_LIBRARIES m)
    endif()
endif()
