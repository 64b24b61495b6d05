import type { Json, ProgramErrorType } from '../../../src/sandbox/api.ts'

/** A program that tries to get out of the room, and what must become of it. */
export interface Escape {
  name: string
  kind?: 'search' | 'execute'
  code: string
  /** The error's type (one of several), the exact value, or merely that nothing gets out. */
  expect: { error: ProgramErrorType | ProgramErrorType[] } | { value: Json } | 'contained'
}

const error = (type: ProgramErrorType) => (name: string, code: string) => ({ name, code, expect: { error: type } })

export const forbidden = error('forbidden')
export const rubyError = error('ruby_error')
export const syntaxError = error('syntax_error')
export const gives = (name: string, value: Json, code: string): Escape => ({ name, code, expect: { value } })
export const contained = (name: string, code: string): Escape => ({ name, code, expect: 'contained' })
