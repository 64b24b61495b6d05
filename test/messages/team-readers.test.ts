import { beforeAll, describe, expect, it } from 'vitest'
import { ROLES, type Role } from '../../src/contract/declarations/caller.ts'
import { keysOf } from '../../src/contract/values/keys.ts'
import { addMember } from '../../src/resources/company/account/life/members.ts'
import { choose, readersOf } from '../../src/resources/messages/email/team/letter-choices.ts'
import { TEAM_LETTERS, type TeamLetter } from '../../src/resources/messages/email/team/letters.ts'
import { type Person, signIn } from '../support/person.ts'
import { onGateEngine } from '../support/shop.ts'

const PAGES: Record<TeamLetter, string> = {
  sales: '/orders',
  failed_payments: '/recover',
  disputes: '/disputes?status=needs_response',
  refunds: '/orders?status=refunded&status=partially_refunded',
  plans: '/plans',
}

describe('Letters to the team', () => {
  onGateEngine((shop) => {
    const people = new Map<Role, { userId: string; person: Person }>()
    beforeAll(async () => {
      for (const role of ROLES) {
        const who = { name: role, email: `team-${role}@example.com`, role }
        const { userId } = await addMember(shop.running.app.database, shop.accountId, who)
        people.set(role, { userId, person: await signIn(shop.running, userId) })
      }
    })

    it('go to nobody who may not open what they lead to', async () => {
      const context = { db: shop.running.app.database.read, accountId: shop.accountId }
      for (const letter of keysOf(TEAM_LETTERS)) {
        await shop.running.app.database.transaction(async ({ db }) => {
          for (const { userId } of people.values())
            await choose({ db, accountId: shop.accountId }, { userId, letter, wanted: true })
        })
        const readers = new Set((await readersOf(context, letter)).map(({ id }) => id))
        for (const [role, { userId, person }] of people) {
          if (!readers.has(userId)) continue
          expect([letter, role, (await person.get(`/dashboard/my-shop${PAGES[letter]}`)).status]).toEqual([
            ...[letter, role, 200],
          ])
        }
        const written = ROLES.filter((role) => readers.has(people.get(role)!.userId))
        const expected = ['owner', 'admin', 'editor', 'support', ...(letter === 'plans' ? [] : ['viewer'])]
        expect([letter, written.toSorted()]).toEqual([letter, expected.toSorted()])
      }
    })
  })
})
