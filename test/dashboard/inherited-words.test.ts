import { beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, type Person, signIn } from '../support/person.ts'
import { formsOn } from '../support/problems.ts'
import { controlsOf, formPagesOf } from '../support/repeated-rows.ts'
import { onGateEngine } from '../support/shop.ts'
import { stock } from '../support/stock.ts'

const BASE = '/dashboard/my-shop'
/** Names that every object has. */
const INHERITED = ['constructor', '__proto__', 'toString']
const UNKNOWN = 'no_such_word'
/** The names of buttons in forms. */
const BUTTONS = ['do', 'does', 'kind', 'change', 'also']

describe('Words that every object has', () => {
  onGateEngine(
    (shop) => {
      let person: Person
      let pages: string[]
      beforeAll(async () => {
        pages = formPagesOf(BASE, shop.running.app.pipeline, await stock(shop))
        person = await signIn(shop.running)
      })

      it('find nothing in the filters of any page', async () => {
        const lists = [...new Set(pages.map((path) => path.split('/').slice(0, 4).join('/')))]
        const faults: object[] = []
        for (const path of [...lists, `${BASE}/developers/requests`, `${BASE}/developers/events`, `${BASE}/reports`]) {
          const { html } = await person.get(path)
          const names = ['outcome', 'state', 'done', 'view', ...controlsOf(html).map(({ name }) => name)]
          const ask = async (word: string) =>
            (await person.get(`${path}?${new URLSearchParams(names.map((name) => [name, word]))}`)).status
          const right = await ask(UNKNOWN)
          for (const word of INHERITED) {
            const status = await ask(word)
            if (status !== right) faults.push({ path, word, status, right })
          }
        }
        expect(faults).toEqual([])
      }, 120_000)

      it('find nothing in any form', async () => {
        const faults: object[] = []
        for (const path of pages) {
          const { html } = await person.get(path)
          for (const { to, controls } of formsOn(path, html)) {
            const chosen = controls.filter(({ kind }) => kind === 'choice').map(({ name }) => name)
            const send = async (word: string) => {
              const said = Object.fromEntries([...chosen, ...BUTTONS].map((name) => [name, word]))
              return (await person.post(to, { ...fieldsOf(html, to), ...said, change: `${word} ${word} 0` })).status
            }
            const right = await send(UNKNOWN)
            for (const word of INHERITED) {
              const status = await send(word)
              if (status !== right || status >= 500) faults.push({ path, to, word, status, right })
            }
          }
        }
        expect(faults).toEqual([])
      }, 120_000)
    },
    { RATE_LIMIT_PER_MINUTE: '1000000' },
  )
})
