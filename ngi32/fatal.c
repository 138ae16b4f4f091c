#include "ngi32/fatal.h"

#include "core/text.h"

#include <string.h>

static void ForgetFile(const FatalSystem *system, DebugOutput *output) {
    if (output->file_name)
        system->release(system->context, output->file_name);
    output->file_name = NULL;
}

void DebugOutput_Set(const FatalSystem *system, DebugOutput *output, uintptr_t target) {
    if (target == 1) {
        output->mode = 1;
        return;
    }
    char *file_name = NULL;
    if (target)
        file_name = system->duplicate(system->context, (const char *)target);
    ForgetFile(system, output);
    output->file_name = file_name;
    output->mode = 0;
}

void Fatal_Describe(uintptr_t error, char message[FATAL_MESSAGE_BYTES]) {
    Text text = Text_Begin(message, FATAL_MESSAGE_BYTES);
    if (error < FATAL_FIRST_TEXT) {
        Text_Append(&text, "Error No.");
        Text_AppendDecimal(&text, error);
    } else {
        Text_Append(&text, (const char *)error);
    }
}

/* Between the description and step 8 the original also releases the renderer, the sound, the driver
 * list and two libraries. None of them exists here. */
void Fatal_End(const FatalSystem *system, DebugOutput *output, const char *message) {
    system->destroy_archives(system->context); /* step 5 */
    ForgetFile(system, output);                /* step 8 */
    system->write_mailslot(system->context, FATAL_MAILSLOT, message, strlen(message));
    if (output->mode == 0)
        system->message_box(system->context, message, FATAL_BOX_CAPTION, FATAL_BOX_TYPE);
    system->exit_process(system->context, FATAL_EXIT_CODE);
}
