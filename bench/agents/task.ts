import { strict as assert } from 'node:assert'
import type { Answer, Shop } from './shop.ts'

/** One program of a transcript. A function gets the responses so far, for values that only they contain, such as the id of a plan. */
export interface Step {
  tool: 'code_search' | 'code_execute'
  code: string | ((answers: readonly Answer[]) => string)
  /** Set if the program is a mistake: its response must match this, which is enough to write the next program. */
  repair?: RegExp
}

/** A person's request, the programs of an agent that fulfills it, and a check of the result. */
export interface Task {
  name: string
  ask: string
  steps: readonly Step[]
  /** Throws if the shop or the final answer is not as it should be. */
  check(shop: Shop, said: string): Promise<void> | void
}

export const search = (code: Step['code']): Step => ({ tool: 'code_search', code })
export const execute = (code: Step['code']): Step => ({ tool: 'code_execute', code })
/** A program with a mistake, and the text that its response must contain to repair it. */
export const mistake = (code: string, repair: RegExp): Step => ({ tool: 'code_execute', code, repair })
/** Applies the plan of the previous program. */
export const apply = execute((answers) => `# apply: ${answers.at(-1)!.body.plan}`)

/** Checks for an amount, in minor units as a program returns it or in major units as a person reads it. */
export function saysAmount(said: string, amount: number): void {
  const plain = said.replace(/(?<=\d),(?=\d{3})/g, '')
  const major = (amount / 100).toFixed(2)
  const found = new RegExp(`(?<![\\d.])(${amount}|${major.replace('.', '\\.')})(?![\\d])`).test(plain)
  assert.ok(found, `the answer has to say ${major}: ${said.slice(0, 300)}`)
}

export function saysNumber(said: string, number: number): void {
  assert.match(said, new RegExp(`(?<![\\d.])${number}(?![\\d])`), `the answer has to say ${number}`)
}
