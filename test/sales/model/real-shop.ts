import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '../../../src/contract/declarations/errors.ts'
import type { Context } from '../../../src/records/context.ts'
import { requireRow } from '../../../src/records/records.ts'
import { buy } from '../../../src/resources/sales/checkout/buy.ts'
import { Checkout } from '../../../src/resources/sales/checkout/checkout.ts'
import { answerSecondStep } from '../../../src/resources/sales/checkout/progress.ts'
import { sheetOf } from '../../../src/resources/sales/checkout/sheet.ts'
import { applyNotice, NOTICE_EVENTS } from '../../../src/resources/sales/payment/notice.ts'
import { Payment } from '../../../src/resources/sales/payment/payment.ts'
import { settle } from '../../../src/resources/sales/payment/settle.ts'
import type { RunningApp } from '../../support/app.ts'
import type { Body } from '../../support/shop.ts'
import { type Minutes, written } from './moments.ts'
import { type Card, Refused } from './state.ts'

const NUMBERS: Record<Card, string> = {
  good: '4242424242424242',
  declined: '4000000000000002',
  'second step': '4000002500003155',
  'fails later': '4000000000000341',
  'no refund': '4000000000005126',
}

/** In the real time of a clock that stands still. */
const NEVER = '9999-01-01T00:00:00Z'

/** A test account of a running service. Its clock stands still except where it is moved. */
export class RealShop {
  readonly running: RunningApp
  readonly accountId: string
  readonly #userId: string
  /** What the model calls things, by their ids. */
  readonly names = new Map<string, string>()

  private constructor(running: RunningApp, account: { accountId: string; userId: string }) {
    this.running = running
    this.accountId = account.accountId
    this.#userId = account.userId
  }

  static async open(running: RunningApp, subdomain: string, now: Minutes): Promise<RealShop> {
    const shop = new RealShop(running, await running.another(subdomain, { test: true }))
    await shop.#standAt(now)
    return shop
  }

  get db() {
    return this.running.app.database.read
  }

  /** The id of what the model calls by a name. */
  idOf(name: string): string {
    for (const [id, known] of this.names) if (known === name) return id
    throw new Error(`The shop has nothing that is called ${name}.`)
  }

  /** One request as the owner's session. Throws Refused. */
  async call(method: string, path: string, body?: unknown, query: Record<string, unknown> = {}): Promise<Body> {
    const caller = { ...this.#owner(), kind: 'session', sessionId: 'model', role: 'owner' } as const
    const answer = await this.running.app.pipeline.run({ method, path, query, body, caller })
    if (answer.status >= 400) throw refusalOf(answer.status, (answer.body as Body).error)
    return answer.body
  }

  #owner() {
    return { accountId: this.accountId, userId: this.#userId }
  }

  async create(path: string, name: string, body: unknown): Promise<void> {
    const made = await this.call('POST', path, body)
    this.names.set(made.id, name)
  }

  /** As the page does for its buyer, who has just seen the checkout. */
  pay(checkout: string, card: Card, email: string | null): Promise<void> {
    return this.#act(async (context) => {
      const row = await requireRow(context, Checkout, this.idOf(checkout))
      const entered = {
        card: NUMBERS[card],
        agreed: (await sheetOf(context, row)).agreement,
        ...(email !== null && { email }),
      }
      await buy(context, row, entered)
    })
  }

  /** The buyer's answer at the bank to the payment of an order; one that comes too late comes from the bank alone. */
  async answer(order: string, approved: boolean, { late }: { late: boolean }): Promise<void> {
    const ofOrder = this.db.selectFrom('payments').select(['id', 'checkout']).where('order_id', '=', this.idOf(order))
    const { id, checkout } = await ofOrder.executeTakeFirstOrThrow()
    await this.#act(async (context) => {
      if (!late) return void (await answerSecondStep(context, await requireRow(context, Checkout, checkout!), approved))
      const payment = await requireRow(context, Payment, id)
      const answer = { accountId: this.accountId, key: id, reference: payment.reference!, approved }
      await settle(context, payment, await context.services.payments.test.answerSecondStep(answer))
    })
  }

  async dispute(order: string, state: 'opened' | 'won' | 'lost'): Promise<void> {
    const payments = this.db.selectFrom('payments').select('id').where('order_id', '=', this.idOf(order))
    const { id: key } = await payments.where('status', '=', 'succeeded').executeTakeFirstOrThrow()
    await this.#act((context) =>
      applyNotice(
        context,
        {
          kind: 'dispute',
          accountId: this.accountId,
          key,
          state,
          reference: `du_${key}`,
          amount: null,
          ...{ inquiry: false, reason: 'general', dueAt: null },
        },
        'test',
      ),
    )
  }

  /** A transaction of the page or of a provider. Throws Refused. */
  async #act(work: (context: Context) => Promise<void>): Promise<void> {
    const { pipeline, database } = this.running.app
    const caller = { kind: 'provider', accountId: this.accountId, provider: 'test' } as const
    try {
      await pipeline.contexts.part(database, caller, NOTICE_EVENTS, work, { inTurn: true })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw refusalOf(error.details.errors ? 422 : 400, { code: error.code, errors: error.details.errors })
    }
  }

  async liveUntil(moment: Minutes): Promise<void> {
    await this.running.app.advanceClock(this.accountId, written(moment))
    await this.#standAt(moment)
  }

  async #standAt(moment: Minutes): Promise<void> {
    await this.running.app.database.transaction(({ db }) =>
      db
        .updateTable('account_clocks')
        .set({ moment: written(moment), since: NEVER })
        .where('account_id', '=', this.accountId)
        .execute(),
    )
  }

  /** Waits until nothing is left to be done at this moment of the clock. */
  async untilIdle(): Promise<void> {
    const busy = () =>
      this.db
        .selectFrom('jobs')
        .select(['id', 'name'])
        .where('account_id', '=', this.accountId)
        .where('state', 'in', ['due', 'working', 'waiting'])
        .executeTakeFirst()
    for (let pauseMs = 1; await busy(); pauseMs = Math.min(2 * pauseMs, 50)) await delay(pauseMs)
    if (this.running.errors.length > 0) throw new Error(`An error was logged: ${JSON.stringify(this.running.errors)}`)
  }
}

function refusalOf(status: number, { code, errors }: { code: string; errors?: object | undefined }): Refused {
  return new Refused(status === 422 && errors ? `422 ${Object.keys(errors).sort().join(' ')}` : `${status} ${code}`)
}
