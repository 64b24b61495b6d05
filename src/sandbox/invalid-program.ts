import { memoryInWords } from '../format/sizes.ts'
import type { Limits } from './limits.ts'

/** Returns the reason why a text cannot be a program, as a sentence; null if it can. */
export function invalidProgram(code: unknown, limits: Limits): string | null {
  if (typeof code !== 'string') return 'The program must be a string of Ruby code.'
  if (code.trim() === '') return 'The program is empty.'
  if (Buffer.byteLength(code) > limits.programBytes) {
    return `The program is longer than ${memoryInWords(limits.programBytes)}.`
  }
  if (!code.isWellFormed()) return 'The program is not valid Unicode: it holds half of a surrogate pair.'
  if (code.includes('\0')) return 'The program contains a NUL character.'
  return null
}
