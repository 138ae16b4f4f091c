meta:
  id: trace
  title: Retropose call trace, version 1
  file-extension: rptrace
  license: MIT
  ks-version: "0.10"
  encoding: UTF-8
  endian: le
doc: |
  Calls of functions of two 32-bit DLLs: what went in, under which machine state, and what came
  out. The same bytes are described in words in trace-format.md, which is normative. What this
  description cannot check is left to the reader: the CRC-32 of the header and of every chunk, and
  that ids are defined before they are used. A file that ends without an `END ` chunk was cut and
  is valid up to its last whole chunk.
doc-ref: trace-format.md
seq:
  - id: header
    type: header
  - id: chunks
    type: chunk
    repeat: eos
types:
  header:
    seq:
      - id: magic
        contents: ["RPTRACE", 0]
      - id: major
        type: u2
        valid: 1
      - id: minor
        type: u2
        doc: 0; 1 with NOTE chunks; 2 when a provider wrote the outcomes. A reader accepts any.
      - id: len_text
        type: u4
        valid:
          max: 8191
      - id: crc
        type: u4
        doc: CRC-32 of the 16 bytes before this field and the text.
      - id: text
        type: str
        size: len_text
        doc: Lines `key=value`, each ended by a newline.
  chunk:
    seq:
      - id: type
        type: str
        size: 4
        encoding: ASCII
        doc: Anything but FUNC, `MEM `, CALL, NOTE and `END ` is skipped.
      - id: flags
        type: u4
      - id: len_stored
        type: u4
        valid:
          max: 0x4000000
      - id: len_unpacked
        type: u4
        valid:
          max: 0x4000000
      - id: num_records
        type: u4
      - id: crc
        type: u4
        doc: CRC-32 of the 20 bytes before this field and the stored payload.
      - id: plain
        type: payload
        size: len_stored
        if: not is_compressed
      - id: unpacked
        type: payload
        size: len_stored
        process: zlib
        if: is_compressed
    instances:
      is_compressed:
        value: flags & 1 != 0
      payload:
        value: "is_compressed ? unpacked : plain"
  payload:
    seq:
      - id: functions
        type: function
        repeat: expr
        repeat-expr: _parent.num_records
        if: _parent.type == "FUNC"
      - id: memories
        type: memory
        repeat: expr
        repeat-expr: _parent.num_records
        if: _parent.type == "MEM "
      - id: calls
        type: call
        repeat: expr
        repeat-expr: _parent.num_records
        if: _parent.type == "CALL"
      - id: note
        type: str
        size-eos: true
        if: _parent.type == "NOTE"
        doc: Lines `key=value`, each ended by a newline. The last note of a file counts.
      - id: end
        type: end
        if: _parent.type == "END "
  function:
    seq:
      - id: id
        type: u2
      - id: len_key
        type: u2
      - id: len_signature
        type: u2
      - id: key
        type: str
        size: len_key
        doc: Key of the ABI tables, `ngi32.slot17`.
      - id: signature
        type: str
        size: len_signature
        doc: Says how the inputs and outputs of its calls are laid out.
  memory:
    seq:
      - id: id
        type: u4
        valid:
          max: 0xfffffffd
      - id: size
        type: u4
      - id: num_relocations
        type: u4
      - id: bytes
        size: size
      - id: padding
        size: (4 - size % 4) % 4
      - id: relocations
        type: relocation
        repeat: expr
        repeat-expr: num_relocations
  relocation:
    doc: A 4-byte pointer field of a memory; its bytes there are zero.
    seq:
      - id: offset
        type: u4
      - id: target
        type: u4
        doc: Id of the memory that it points into.
      - id: target_offset
        type: u4
  call:
    seq:
      - id: function
        type: u2
      - id: outcome
        type: u1
        enum: outcome
      - id: violations
        type: u1
      - id: sequence
        type: u8
      - id: control_in
        type: u2
      - id: control_out
        type: u2
      - id: mxcsr_in
        type: u4
      - id: mxcsr_out
        type: u4
      - id: len_inputs
        type: u4
      - id: len_outputs
        type: u4
      - id: inputs
        size: len_inputs
        doc: |
          By-value, `in` and `inout` parameters of the signature, in order. A parameter of type state
          is laid out as the type state below.
      - id: outputs
        size: len_outputs
        type:
          switch-on: outcome
          cases:
            outcome::returned: returned
            outcome::crashed: crash
            outcome::exited: exit
    instances:
      stack_pointer_wrong:
        value: violations & 1 != 0
      saved_register_changed:
        value: violations & 2 != 0
      x87_stack_unbalanced:
        value: violations & 4 != 0
      direction_flag_set:
        value: violations & 8 != 0
      wrote_outside:
        value: violations & 16 != 0
  returned:
    doc: The return value, then `out` and `inout` parameters of the signature, in order.
    seq:
      - id: bytes
        size-eos: true
  state:
    doc: An object that a call may change in place, among the inputs. Its outputs are the ranges' dwords.
    seq:
      - id: memory
        type: u4
      - id: offset
        type: u4
        doc: Of the pointer that the function gets.
      - id: num_patches
        type: u4
        valid:
          max: 65536
      - id: num_ranges
        type: u4
        valid:
          max: 65536
      - id: patches
        type: patch
        repeat: expr
        repeat-expr: num_patches
      - id: ranges
        type: range
        repeat: expr
        repeat-expr: num_ranges
  patch:
    doc: Written over the memory before the call.
    seq:
      - id: offset
        type: u4
      - id: value
        type: u4
  range:
    doc: Read from the memory behind the call.
    seq:
      - id: offset
        type: u4
      - id: num_dwords
        type: u4
        valid:
          min: 1
  crash:
    seq:
      - id: code
        type: u4
        doc: Exception code.
      - id: address
        type: u4
        doc: Offset in its module.
      - id: module
        type: u4
        enum: module
  exit:
    seq:
      - id: code
        type: u4
  end:
    seq:
      - id: num_calls
        type: u8
      - id: num_memories
        type: u4
      - id: reserved
        type: u4
        valid: 0
enums:
  outcome:
    0: not_run
    1: returned
    2: crashed
    3: exited
    4: timed_out
    5: unsupported
    6: not_called
  module:
    0: ngi32
    1: animesh
    2: elsewhere
