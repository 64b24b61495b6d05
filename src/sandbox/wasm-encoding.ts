/** Decodes an unsigned LEB128 number. Returns the number and the offset after it. */
export function decode(bytes: Uint8Array, offset: number): [value: number, next: number] {
  let value = 0
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[offset++]!
    value |= (byte & 0x7f) << shift
    if (!(byte & 0x80)) return [value >>> 0, offset]
  }
}

export function skipNumber(bytes: Uint8Array, offset: number): number {
  while (bytes[offset]! & 0x80) offset++
  return offset + 1
}

/** Encodes a number as unsigned LEB128. */
export function encode(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  do {
    const low = rest & 0x7f
    rest >>>= 7
    bytes.push(rest ? low | 0x80 : low)
  } while (rest)
  return Uint8Array.from(bytes)
}

/** Encodes a 32-bit integer as signed LEB128, the form of the operand of `i32.const`. */
export function encodeSigned(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value | 0
  for (;;) {
    const low = rest & 0x7f
    rest >>= 7
    const complete = (rest === 0 && !(low & 0x40)) || (rest === -1 && low & 0x40)
    bytes.push(complete ? low : low | 0x80)
    if (complete) return Uint8Array.from(bytes)
  }
}

export function concatenate(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}
