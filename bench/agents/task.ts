import { strict as assert } from 'node:assert'
import type { Answer, Shop } from './shop.ts'

/** One program of a transcript. A function is given the answers so far, for what only they tell, such as the id of a plan. */
export interface Step {
  tool: 'code_search' | 'code_execute'
  code: string | ((answers: readonly Answer[]) => string)
  /** The program is a mistake: its answer has to hold this, which is enough to write the next one. */
  repair?: RegExp
}

/** What a person asks for, the programs of an agent that does it, and how to see that it was done. */
export interface Task {
  name: string
  ask: string
  steps: readonly Step[]
  /** Throws when the shop, or what was answered in the end, is not as it should be. */
  check(shop: Shop, said: string): Promise<void> | void
}

export const search = (code: Step['code']): Step => ({ tool: 'code_search', code })
export const execute = (code: Step['code']): Step => ({ tool: 'code_execute', code })
/** A program with a mistake, and what its answer has to say to repair it. */
export const mistake = (code: string, repair: RegExp): Step => ({ tool: 'code_execute', code, repair })
/** Applies the plan of the program before it. */
export const apply = execute((answers) => `# apply: ${answers.at(-1)!.body.plan}`)

/** An amount in minor units as a program gives it, or as a person reads it. */
export function saysAmount(said: string, amount: number): void {
  const plain = said.replace(/(?<=\d),(?=\d{3})/g, '')
  const major = (amount / 100).toFixed(2)
  const found = new RegExp(`(?<![\\d.])(${amount}|${major.replace('.', '\\.')})(?![\\d])`).test(plain)
  assert.ok(found, `the answer has to say ${major}: ${said.slice(0, 300)}`)
}

export function saysNumber(said: string, number: number): void {
  assert.match(said, new RegExp(`(?<![\\d.])${number}(?![\\d])`), `the answer has to say ${number}`)
}
