# The library as other projects use it: its parts, and all parts as one library. The names are the same
# whether a project contains this one, with add_subdirectory(), or finds what was installed:
#
#   retropose::PART              the folders that one subject needs, as static libraries
#   retropose::retropose_static  all parts in one static library, libretropose.a
#   retropose::retropose_shared  all parts in one shared library, where BUILD_SHARED_LIBS is on
#   retropose::retropose         the shared one where there is one, else the static one

# retropose_offer(part target...): the part that stands on these targets. A target that this
# configuration leaves out is passed over, and so is a part of which nothing is left.
set(RETROPOSE_OFFERED)
function(retropose_offer part)
    set(targets)
    foreach(target IN LISTS ARGN)
        if(TARGET ${target})
            list(APPEND targets ${target})
        endif()
    endforeach()
    if(targets)
        add_library(retropose_offer_${part} INTERFACE)
        add_library(retropose::${part} ALIAS retropose_offer_${part})
        target_link_libraries(retropose_offer_${part} INTERFACE ${targets})
        set_target_properties(retropose_offer_${part} PROPERTIES EXPORT_NAME ${part})
        set(RETROPOSE_OFFERED ${RETROPOSE_OFFERED} ${part} PARENT_SCOPE)
    endif()
endfunction()

# What each part is, and what its headers are, is told in docs/use/library.md.
retropose_offer(core retropose_core)
retropose_offer(file retropose_files)
retropose_offer(nres retropose_nres)
retropose_offer(rsli retropose_rsli)
retropose_offer(texm retropose_texm)
retropose_offer(pose retropose_msh) # which takes the streams of a pose out of a model's image
retropose_offer(mesh retropose_msh)
retropose_offer(msh retropose_msh_make retropose_msh_text)
retropose_offer(gltf retropose_gltf)
retropose_offer(isle retropose_isle retropose_isle_text)
retropose_offer(sequencer retropose_sequencer retropose_sequencer_text)
retropose_offer(trace retropose_trace)
retropose_offer(machine retropose_embed)
retropose_offer(corpus retropose_corpus)
retropose_offer(view retropose_view)

# retropose_collect(libraries others target...): the libraries of this project that the targets stand on,
# each once, and what these link that is not of this project.
function(retropose_collect libraries others)
    set(waiting ${ARGN})
    set(found)
    set(strange)
    while(waiting)
        list(POP_FRONT waiting item)
        string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" item "${item}")
        if(item MATCHES "BUILD_INTERFACE" OR item IN_LIST found OR item IN_LIST strange)
            continue() # the options of compilation, or known already
        elseif(item MATCHES "^retropose_" AND TARGET ${item})
            get_target_property(links ${item} INTERFACE_LINK_LIBRARIES)
            if(links)
                list(APPEND waiting ${links})
            endif()
            list(APPEND found ${item})
        else()
            list(APPEND strange ${item})
        endif()
    endwhile()
    list(FILTER found EXCLUDE REGEX "^retropose_offer_")
    set(${libraries} ${found} PARENT_SCOPE)
    set(${others} ${strange} PARENT_SCOPE)
endfunction()

list(TRANSFORM RETROPOSE_OFFERED PREPEND retropose_offer_ OUTPUT_VARIABLE offers)
retropose_collect(RETROPOSE_LIBRARIES RETROPOSE_FOREIGN ${offers})
set(shared ${BUILD_SHARED_LIBS})
if(shared AND NOT CMAKE_SYSTEM_NAME MATCHES "^(Linux|Windows)$")
    message(WARNING "There is no shared library for ${CMAKE_SYSTEM_NAME} yet: libretropose is static")
    set(shared OFF)
endif()
# The shared library is made of the same objects. Its functions call each other directly, as they do in
# a program, and may be inlined: nobody may put others in their place. A DLL is so anyway.
if(shared AND NOT WIN32)
    set_target_properties(${RETROPOSE_LIBRARIES} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    foreach(library IN LISTS RETROPOSE_LIBRARIES)
        target_compile_options(${library} PRIVATE -fno-semantic-interposition)
    endforeach()
endif()
# Imported targets are known in the folder that looked for them.
if("ZLIB::ZLIB" IN_LIST RETROPOSE_FOREIGN)
    find_package(ZLIB REQUIRED)
endif()
if("cJSON::cJSON" IN_LIST RETROPOSE_FOREIGN)
    find_package(cJSON MODULE REQUIRED)
endif()
if("Zydis::Zydis" IN_LIST RETROPOSE_FOREIGN)
    find_package(Zydis MODULE REQUIRED)
endif()

# ---- all parts in one ----------------------------------------------------------------------------

list(TRANSFORM RETROPOSE_LIBRARIES REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)

function(retropose_whole name kind links)
    add_library(lib${name} ${kind} ${objects})
    add_library(retropose::${name} ALIAS lib${name})
    target_include_directories(lib${name} INTERFACE
        $<BUILD_INTERFACE:${retropose_SOURCE_DIR}/include>
        $<BUILD_INTERFACE:${retropose_BINARY_DIR}/include>)
    target_link_libraries(lib${name} ${links} ${RETROPOSE_FOREIGN})
    set_target_properties(lib${name} PROPERTIES
        EXPORT_NAME ${name} OUTPUT_NAME retropose LINKER_LANGUAGE C)
endfunction()

retropose_whole(retropose_static STATIC INTERFACE)
set(RETROPOSE_WHOLE retropose_static)
if(shared)
    retropose_whole(retropose_shared SHARED PRIVATE)
    set(RETROPOSE_WHOLE retropose_shared)
    # The name has the major version, within which the interface stays (docs/use/library.md).
    set_target_properties(libretropose_shared PROPERTIES
        VERSION ${retropose_VERSION} SOVERSION ${retropose_VERSION_MAJOR})
    target_link_libraries(libretropose_shared PRIVATE $<BUILD_INTERFACE:retropose_flags>)
    if(WIN32)
        # The objects are those of the game's two DLLs as well, so they cannot say themselves what this
        # DLL shows. Functions that begin with Rp are those of the public headers, and no others.
        set(definition ${CMAKE_CURRENT_BINARY_DIR}/retropose.def)
        add_custom_command(OUTPUT ${definition}
            COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DLIBRARY=$<TARGET_FILE:libretropose_static>
                    -DDEFINITION=${definition} -P ${retropose_SOURCE_DIR}/packaging/cmake/Definition.cmake
            DEPENDS libretropose_static ${retropose_SOURCE_DIR}/packaging/cmake/Definition.cmake VERBATIM)
        target_sources(libretropose_shared PRIVATE ${definition})
        set_target_properties(libretropose_shared PROPERTIES
            PREFIX "" RUNTIME_OUTPUT_NAME retropose-${retropose_VERSION_MAJOR}
            ARCHIVE_OUTPUT_NAME retropose)
        target_link_options(libretropose_shared PRIVATE -Wl,--disable-auto-import)
    else()
        target_link_options(libretropose_shared PRIVATE -Wl,-Bsymbolic-functions)
    endif()
endif()

add_library(libretropose INTERFACE)
add_library(retropose::retropose ALIAS libretropose)
target_link_libraries(libretropose INTERFACE lib${RETROPOSE_WHOLE})
set_target_properties(libretropose PROPERTIES EXPORT_NAME retropose)
