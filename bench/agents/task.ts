import { strict as assert } from 'node:assert'
import type { Answer, Shop } from './shop.ts'

/** One program of a transcript. A function gets the earlier responses, for values such as the id of a plan. */
export interface Step {
  tool: 'code_search' | 'code_execute'
  code: string | ((answers: readonly Answer[]) => string)
  /** Set if the program contains a mistake. Its response must match this text, which is enough to write the next program. */
  repair?: RegExp
}

/** A person's request, the programs with which an agent fulfills it, and a check of the result. */
export interface Task {
  name: string
  ask: string
  steps: readonly Step[]
  check(shop: Shop, said: string): Promise<void> | void
}

export const search = (code: Step['code']): Step => ({ tool: 'code_search', code })
export const execute = (code: Step['code']): Step => ({ tool: 'code_execute', code })
/** `repair` matches the part of the response that an agent needs to correct the mistake. */
export const mistake = (code: string, repair: RegExp): Step => ({ tool: 'code_execute', code, repair })
export const apply = execute((answers) => `# apply: ${answers.at(-1)!.body.plan}`)

/** Throws unless a text contains the amount, in minor units as a program returns it or in major units as a person reads it. */
export function saysAmount(said: string, amount: number): void {
  const plain = said.replace(/(?<=\d),(?=\d{3})/g, '')
  const major = (amount / 100).toFixed(2)
  const found = new RegExp(`(?<![\\d.])(${amount}|${major.replace('.', '\\.')})(?![\\d])`).test(plain)
  assert.ok(found, `the answer has to say ${major}: ${said.slice(0, 300)}`)
}

export function saysNumber(said: string, number: number): void {
  assert.match(said, new RegExp(`(?<![\\d.])${number}(?![\\d])`), `the answer has to say ${number}`)
}
