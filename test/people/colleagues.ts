import type { Role } from '../../src/contract/declarations/caller.ts'
import { readerFor } from '../../src/pages/dashboard/kit/visits.ts'
import { addMember } from '../../src/resources/company/account/life/members.ts'
import type { Shop } from '../support/shop.ts'
import { ask } from './person.ts'

let made = 0

/** People of the first account, as operations see them. */
export function peopleOf(shop: Shop) {
  const { accountId } = shop
  const owner = { accountId, userId: shop.running.app.firstAccount!.userId, role: 'owner' as Role }
  const add = async (role: Role, email = newAddress()) => {
    const { userId } = await addMember(shop.running.app.database, accountId, { name: 'Person', email, role })
    return { accountId, userId, role, email }
  }
  return { owner, add }
}

type Colleagues = ReturnType<typeof peopleOf>
export type Person = Awaited<ReturnType<Colleagues['add']>> | Colleagues['owner']

/** Calls an operation as one of them. */
export function callAs(shop: Shop, { accountId, userId, role }: Person, method: string, path: string, body?: unknown) {
  return ask(shop, { method, path, body, as: { accountId, userId, role } })
}

/** Reads what only pages show as one of them. */
export function readAs(shop: Shop, { accountId, userId, role }: Person) {
  return readerFor(shop.running.app, { kind: 'session', sessionId: 'sess_test', accountId, userId, role })
}

/** An address that nobody has. */
export function newAddress(): string {
  return `person${++made}@example.com`
}
