import type { RealShop } from './real-shop.ts'
import type { State } from './state.ts'

/** One action in both shops. Either may throw Refused. */
export interface Step {
  /** For the diary. */
  words: string
  model(state: State): void
  real(shop: RealShop): Promise<unknown>
}

export function find<One extends { name: string }>(all: readonly One[], name: string): One {
  return all.find((one) => one.name === name)!
}

/** One of several, by a number of any size; the newest for 0. */
export function picked<One>(all: readonly One[], pick: number): One | undefined {
  return all[all.length - 1 - (pick % all.length)]
}

/** Nearly always one of those that something can be done with; now and then any, so that refusals are seen too. */
export function likely<One>(all: readonly One[], pick: number, isLikely: (one: One) => boolean): One | undefined {
  return picked(pick % 10 === 9 ? all : all.filter(isLikely), Math.floor(pick / 10))
}
