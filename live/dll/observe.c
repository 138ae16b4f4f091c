#include "observe.h"

void Observe_Run(ObservedCall *call) {
    Live_Invoke(call->serving, call->signature, call->arguments, &call->result);
}

bool Observe_CanShadow(const Signature *signature) {
    (void)signature;
    return false;
}

bool Observe_CanRecord(const Signature *signature) {
    (void)signature;
    return false;
}

void Observe_Open(const LiveSettings *settings, const ObserveIdentity *identity) {
    (void)settings, (void)identity;
}

void Observe_Change(const LiveSettings *settings) {
    (void)settings;
}

void Observe_Close(bool process_ends) {
    (void)process_ends;
}
