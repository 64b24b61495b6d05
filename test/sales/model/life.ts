import { isDeepStrictEqual } from 'node:util'
import type { RunningApp } from '../../support/app.ts'
import { type Action, partsOf } from './actions.ts'
import { type Catalog, stateOf, stockShop } from './catalog.ts'
import { figuresOfModel } from './figures.ts'
import { figuresOfShop, newEvents } from './real-figures.ts'
import { RealShop } from './real-shop.ts'
import { Refused, type State } from './state.ts'
import { type Step, stepOf } from './steps.ts'

const CATALOG_ACTIONS = ['price', 'product', 'code']

let lives = 0

/** One shop twice: the real one and the model of it. Every action is done in both, and every figure compared. */
export class Life {
  readonly #shop: RealShop
  #state: State
  readonly #seen = new Set<string>()
  readonly #diary: string[] = []

  private constructor(shop: RealShop, state: State) {
    this.#shop = shop
    this.#state = state
  }

  static async begin(running: RunningApp, catalog: Catalog): Promise<Life> {
    const state = stateOf(catalog)
    const life = new Life(await RealShop.open(running, `model-${++lives}`, state.now), state)
    await stockShop(life.#shop, state)
    await newEvents(life.#shop, life.#seen)
    return life
  }

  /** Lives through the actions. Throws with the whole diary at the first difference. */
  async live(actions: readonly Action[]): Promise<void> {
    for (const action of actions.flatMap(partsOf)) {
      const step = stepOf(action, this.#state)
      if (step === null) continue
      this.#diary.push(step.words)
      const differences = await this.#differencesAfter(step, CATALOG_ACTIONS.includes(action.act))
      if (differences.length > 0) throw new Error([...this.#diary, '', 'Differences:', ...differences].join('\n'))
    }
  }

  async #differencesAfter(step: Step, changesCatalog: boolean): Promise<string[]> {
    const expected = this.#inModel(step)
    const answer = await this.#inShop(step)
    if (answer !== expected) return [`The model says ${expected}, and the shop ${answer}.`]
    await this.#shop.untilIdle()
    const figures = await figuresOfShop(this.#shop)
    const events = await newEvents(this.#shop, this.#seen)
    const aside = changesCatalog ? /^(email|account|product|price_variant|discount)\./ : /^(email|account)\./
    return [
      ...differencesOf(figuresOfModel(this.#state), figures),
      ...differencesOf(
        { events: this.#state.events.sort() },
        { events: events.filter((one) => !aside.test(one)).sort() },
      ),
    ]
  }

  /** A step that is refused leaves everything as it was. */
  #inModel({ model }: Step): string {
    const draft = structuredClone(this.#state)
    draft.events = []
    this.#state.events = []
    try {
      model(draft)
    } catch (error) {
      if (error instanceof Refused) return error.message
      throw error
    }
    this.#state = draft
    return 'done'
  }

  async #inShop({ real }: Step): Promise<string> {
    try {
      await real(this.#shop)
      return 'done'
    } catch (error) {
      if (error instanceof Refused) return error.message
      throw new Error([...this.#diary, '', String(error)].join('\n'), { cause: error })
    }
  }
}

/** Where two values differ, one line for each place. */
function differencesOf(model: unknown, shop: unknown, path = ''): string[] {
  if (isDeepStrictEqual(model, shop)) return []
  const bothObjects = [model, shop].every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
  if (!bothObjects) return [`${path}: the model has ${JSON.stringify(model)}, the shop ${JSON.stringify(shop)}`]
  const [left, right] = [model as Record<string, unknown>, shop as Record<string, unknown>]
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...names].flatMap((name) => differencesOf(left[name], right[name], path ? `${path} › ${name}` : name))
}
