#include "machine/translator/code.h"
#include "machine/translator/translator.h"

#ifndef TRANSLATOR_HOST

RpStatus Translator_Create(MachineMemory *memory, Interpreter *interpreter, Translator **translator,
                           RpError *error) {
    (void)memory, (void)interpreter;
    *translator = NULL;
    return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE,
                       "the host cannot execute a guest's instructions itself", "",
                       "Linux on x86-64", "");
}

bool Translator_Hold(void) {
    return true;
}

void Translator_Release(void) {
}

void Translator_Destroy(Translator *translator) {
    (void)translator;
}

void Translator_Forget(Translator *translator) {
    (void)translator;
}

MachineStop Translator_Run(Translator *translator, MachineContext *context) {
    (void)translator;
    context->fault =
        (MachineFault){.code = MACHINE_UNKNOWN_INSTRUCTION, .address = context->registers.eip};
    return MACHINE_STOP_FAULT;
}

#endif
