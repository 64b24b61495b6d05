import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** An address of Ethereum with the checksum that its capital letters are (EIP-55). `address` is 0x and 40 hexadecimal digits. */
export function withChecksum(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  const marked = [...digits].map((digit, index) =>
    Number.parseInt(hash[index]!, 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${marked.join('')}`
}

/** Whether an address has mixed letters that are not its checksum: it was mistyped, or copied wrongly. */
export function isMistyped(address: string): boolean {
  const letters = address.slice(2)
  const hasChecksum = letters !== letters.toLowerCase() && letters !== letters.toUpperCase()
  return hasChecksum && address !== withChecksum(address)
}
