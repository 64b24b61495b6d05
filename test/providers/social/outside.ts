import { setTimeout as delay } from 'node:timers/promises'
import { PRODUCT } from '../../../src/assembly.ts'
import type { Caller } from '../../../src/contract/declarations/caller.ts'
import { newId } from '../../../src/contract/values/ids.ts'
import { timestampOf } from '../../../src/contract/values/values.ts'
import type { OperationScope } from '../../../src/pipeline/request.ts'
import { anyTable } from '../../../src/records/records.ts'
import type { Tables } from '../../../src/resources/tables.ts'
import type { TestEngine } from '../../database/engines.ts'
import { openSmallShop, type SmallShop } from '../../support/small-shop.ts'
import { Platform } from './platform.ts'

const { shop: resources } = PRODUCT

type Values = Record<string, unknown>

const PAST = '2026-01-01T00:00:00Z'

/** A shop whose social accounts are on a platform outside, which the suite plays. */
export class OutsideShop {
  readonly platform = new Platform()
  readonly small: SmallShop
  readonly caller: Caller
  /** Three connected accounts. */
  readonly accounts: string[] = []

  private constructor(small: SmallShop, caller: Caller) {
    this.small = small
    this.caller = caller
    small.services.social = this.platform.only
  }

  static async open(engine: TestEngine): Promise<OutsideShop> {
    const small = await openSmallShop(engine, resources, 'create table unused (id text not null primary key)')
    const shop = new OutsideShop(small, await small.testAccount())
    for (const username of ['one', 'two', 'three']) shop.accounts.push(await shop.connect(username))
    return shop
  }

  close = (): Promise<void> => this.small.close()

  /** A connected account. */
  async connect(username: string): Promise<string> {
    const account = await this.post('/social_accounts', { platform: 'x', username, credentials: { code: 'right' } })
    return String(account.id)
  }

  async call(method: string, path: string, body?: unknown, scope?: OperationScope): Promise<Values> {
    const answer = await this.small.call(method, path, body, { caller: this.caller, ...(scope && { scope }) })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  get = (path: string): Promise<Values> => this.call('GET', path)
  post = (path: string, body: unknown = {}): Promise<Values> => this.call('POST', path, body)

  async draft(accounts: string[]): Promise<string> {
    return String((await this.post('/social_posts', { social_accounts: accounts, content: 'Hello' })).id)
  }

  statusOf = async (post: string) => (await this.get(`/social_posts/${post}`)).status
  targetsOf = async (post: string) => (await this.get(`/social_posts/${post}/targets`)).data

  /** Makes these calls in one transaction, as a program does. */
  async program(calls: [method: string, path: string][]): Promise<void> {
    const program = this.small.database.program({ account: this.caller.accountId })
    for (const [method, path] of calls) await this.call(method, path, {}, program)
    await program.commit()
  }

  /** Stores a row as no operation would, and gives its id. */
  async insert(table: keyof Tables, prefix: string, values: Values): Promise<string> {
    const id = newId(prefix)
    const row = { account_id: this.caller.accountId, id, created_at: PAST, updated_at: PAST, ...values }
    await this.small.database.transaction((unit) => anyTable(unit).insertInto(table).values(row).execute())
    return id
  }

  /** Changes columns of rows as no operation would. */
  async set(table: keyof Tables, where: Values, values: Values): Promise<void> {
    await this.small.database.transaction((unit) =>
      anyTable(unit)
        .updateTable(table)
        .set(values)
        .where(({ and }) => and(where))
        .execute(),
    )
  }

  /** Lets jobs be tried now that are to be tried later, or that a worker holds; `more` is changed of them too. */
  hurry(state: 'waiting' | 'working', more: Values = {}): Promise<void> {
    const past = timestampOf(new Date(Date.now() - 1000))
    const due = state === 'waiting' ? { run_at: past } : { leased_until: past }
    return this.set('jobs', { state, lane: 'outside' }, { ...due, ...more })
  }
}

/** Waits until something holds. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await delay(20)
}
