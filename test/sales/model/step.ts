import type { RealShop } from './real_shop.ts'
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

/** Three times of four one of those that something can be done with. */
export function likely<One>(all: readonly One[], pick: number, isLikely: (one: One) => boolean): One | undefined {
  const some = all.filter(isLikely)
  return picked(some.length > 0 && pick % 4 !== 3 ? some : all, Math.floor(pick / 4))
}
