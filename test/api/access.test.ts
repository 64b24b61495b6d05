import { beforeAll, describe, expect, it } from 'vitest'
import { inputName } from '../../src/contract/declarations/noun.ts'
import { addMember } from '../../src/resources/company/account/life/members.ts'
import { createToken, deleteToken } from '../../src/resources/dashboard/api-token/issue.ts'
import { onEachEngine, type Shop } from '../support/shop.ts'
import { bodyOf, call, type Ids, pathOf, stock, stockFor } from '../support/stock.ts'

/** Of the form of every id, and never made. */
const UNKNOWN_SUFFIX = '01k9z6v8q2f3x7c5m1n4b0r8ta'
const SECRET_KEY = 'a secret that only tests know'

let address = 0
/** Every request from an address of its own, so that failures are not counted together. */
const elsewhere = () => ({ 'X-Forwarded-For': `10.0.${address >> 8}.${address++ & 255}` })

describe('Every operation', () => {
  onEachEngine(
    (shop) => {
      let own: Ids
      let stranger: Shop
      let theirs: Ids
      let unknown: Ids

      beforeAll(async () => {
        own = await stock(shop)
        stranger = shop.as(await shop.running.another('stranger'))
        theirs = await stock(stranger)
        unknown = Object.fromEntries(
          Object.entries(own).map(([noun, id]) => [noun, `${id.split('_')[0]}_${UNKNOWN_SUFFIX}`]),
        )
      })

      it('wants a token that is known', async () => {
        const { database } = shop.running.app
        const userId = (await shop.get('/me')).id
        const deleted = await createToken(database, SECRET_KEY, { accountId: shop.accountId, userId }, { name: 'Gone' })
        expect((await shop.api('GET', '/me', undefined, { token: deleted.value })).status).toBe(200)
        await deleteToken(database, deleted.id)
        const { token } = shop.running
        const mistyped = `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`
        const wrong = [null, '', 'wrong', mistyped, deleted.value, `${token} more`, 'a'.repeat(5000)]
        for (const operation of shop.operations) {
          const body = bodyOf(shop, operation, own)
          for (const token of wrong) {
            const options = { token, headers: elsewhere() }
            const answer = await shop.api(operation.method, pathOf(operation, own), body, options)
            expect([operation.id, answer.status, answer.headers.get('www-authenticate')]).toEqual([
              operation.id,
              401,
              'Bearer',
            ])
            expect(answer.body.error.code).toBe('authentication_required')
          }
        }
        const basic = { token: null, headers: { ...elsewhere(), Authorization: `Basic ${token}` } }
        expect((await shop.api('GET', '/me', undefined, basic)).status).toBe(401)
        const lower = { token: null, headers: { Authorization: `bearer ${token}` } }
        expect((await shop.api('GET', '/me', undefined, lower)).status).toBe(200)
      })

      it('says the same of another account’s id as of an unknown one', async () => {
        for (const operation of shop.operations.filter((one) => one.addressed)) {
          const ask = (ids: Ids) => shop.api(operation.method, pathOf(operation, ids), bodyOf(shop, operation, own))
          const [foreign, missing] = [await ask(theirs), await ask(unknown)]
          expect([operation.id, foreign.status, foreign.body.error.code]).toEqual([
            operation.id,
            404,
            'resource_missing',
          ])
          expect(foreign.text).toBe(missing.text)
          const ofAnotherType = {
            [operation.noun.name]: own[operation.noun.name === 'product' ? 'customer' : 'product']!,
          }
          for (const ids of [ofAnotherType, { [operation.noun.name]: 'nonsense' }, { [operation.noun.name]: '%00' }]) {
            expect((await ask(ids)).text).toBe(missing.text)
          }
        }
      })

      it('says so of references in bodies too', async () => {
        let references = 0
        for (const operation of shop.operations) {
          for (const [name, field] of Object.entries(operation.body ?? {})) {
            const { relation } = field.spec
            if (!relation) continue
            references++
            const param = inputName(name, field)
            const ask = (ids: Ids) => {
              const id = ids[relation.noun]
              const body = { ...bodyOf(shop, operation, own), [param]: relation.kind === 'many' ? [id] : id }
              if (param === 'invoice') delete body.line_items
              return shop.api(operation.method, pathOf(operation, own), body)
            }
            const [foreign, missing] = [await ask(theirs), await ask(unknown)]
            expect([operation.id, param, foreign.status]).toEqual([operation.id, param, 404])
            expect(foreign.body.error.param).toMatch(new RegExp(`^${param}(\\.0)?$`))
            expect(foreign.text).toBe(missing.text)
            if (relation.noun === 'tag') continue
            const wrongType = { ...own, [relation.noun]: own[relation.noun === 'product' ? 'customer' : 'product']! }
            expect((await ask(wrongType)).text).toBe(missing.text)
          }
        }
        expect(references).toBeGreaterThan(10)
      })

      it('takes no cursor and finds nothing of another account', async () => {
        for (const operation of shop.operations.filter((one) => one.kind === 'list')) {
          const continued = (id: string) => shop.api('GET', `${operation.path}?starting_after=${id}`)
          const noun = operation.noun.name
          const missing = await continued(unknown[noun]!)
          expect([missing.status, missing.body.error.param]).toEqual([400, 'starting_after'])
          for (const id of [theirs[noun]!, own[noun === 'product' ? 'customer' : 'product']!, 'x']) {
            expect((await continued(id)).text).toBe(missing.text)
          }
          for (const filter of ['product', 'tag', 'category'].filter((name) => name in operation.query)) {
            const noun = filter === 'category' ? 'blog_category' : filter
            for (const id of [theirs[noun], unknown[noun]]) {
              expect(await shop.listed(`${operation.path}?${filter}=${id}`)).toEqual([])
            }
          }
          const [mine, others] = [await shop.listed(operation.path), await stranger.listed(operation.path)]
          expect(mine.filter((id) => others.includes(id))).toEqual([])
        }
      })

      it('leaves everything of another account as it was', async () => {
        const retrieves = shop.operations.filter((one) => one.kind === 'retrieve' && one.addressed)
        // A link that is signed anew by each answer shows the second.
        const unsigned = (text: string) => text.replace(/expires=\d+&signature=[\w-]+/, '')
        const all = async () => {
          const answers = await Promise.all(retrieves.map((operation) => call(stranger, operation, theirs)))
          return answers.map(({ text }) => unsigned(text))
        }
        const before = await all()
        for (const operation of shop.operations.filter((one) => one.writes && one.addressed)) {
          await shop.api(operation.method, pathOf(operation, theirs), bodyOf(shop, operation, theirs))
        }
        expect(await all()).toEqual(before)
      })

      it('is open to members, except changing the account and where its money goes', async () => {
        const { database } = shop.running.app
        const person = { name: 'Member', email: 'member@example.com', role: 'member' as const }
        const owner = await addMember(database, shop.accountId, person)
        const { value } = await createToken(database, SECRET_KEY, owner, { name: 'Member' })
        const member = shop.as({ accountId: shop.accountId, token: value })
        expect((await member.get('/me')).roles).toEqual(['member'])
        const refused: string[] = []
        for (const operation of shop.operations) {
          const gone = await stockFor(shop, operation)
          const { status, body } = await call(member, operation, gone)
          if (status === 403) refused.push(`${operation.id} ${body.error.code}`)
          else expect([200, 201, 404, 422]).toContain(status)
        }
        // Money of the shop goes where the x402 configuration says.
        const ofOwners = ['update_account permission_denied', 'update_x402_configuration permission_denied']
        expect(refused).toEqual(ofOwners)
      })
    },
    { TRUST_PROXY: 'true', SECRET_KEY },
  )
})
