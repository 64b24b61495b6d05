import { beforeAll, describe, expect, it } from 'vitest'
import { Catalogue } from '../../src/pages/dashboard/kit/catalogue.ts'
import { SETTINGS } from '../../src/pages/dashboard/pages.ts'
import { type Person, signIn } from '../support/person.ts'
import { onGateEngine } from '../support/shop.ts'
import { type Ids, stock } from '../support/stock.ts'

const BASE = '/dashboard/my-shop'

/** Fields that have no input of their name, each with its reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'account.branding': 'The page Branding has an input for each part of it.',
  'file.content_type': 'An upload is sent as a file, which says it.',
  'file.size': 'An upload is sent as a file, which says it.',
  'invoice.charge_buyer_fee': 'It has no effect.',
  'price_variant.amount_type': 'The select Type stands for it.',
  'price_variant.billing_type': 'The select Type stands for it.',
  'product.status': 'The buttons that save and the actions of the list set it.',
  'social_post.metadata': 'It is for programs, and the composer leaves it as it is.',
  'social_post.overrides': 'The composer has an input for the text of each network.',
  'social_post.publish_now': 'A button of the composer sets it.',
  'social_post.timezone': 'The composer shows times in the time zone of the account.',
  'task.approval_mode': 'A box to check stands for it.',
  'task.cron_expression': 'The choice of days and time stands for it.',
  'task.delivery_methods': 'A box to check stands for it.',
  'task.interval_seconds': 'The form asks for minutes.',
  'task.model_id': 'Settings have the model for the whole account; only programs choose another one.',
  'task.trust_events': 'It lifts a protection against what strangers write; only programs can do so.',
}

describe('The forms of the dashboard', () => {
  onGateEngine((shop) => {
    let person: Person
    let ids: Ids

    beforeAll(async () => {
      ids = await stock(shop)
      person = await signIn(shop.running)
    })

    /** Names of inputs, also of the forms that a page offers by kind: `experiences/new?kind=link`. Of `fields.0.name` the first part. */
    const inputsOf = async (address: string): Promise<string[]> => {
      const { html } = await person.get(address)
      const inputs = html.matchAll(/<(?:input|select|textarea|button)\b[^>]* name="(\w+)/g)
      const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!)
      const kinds = links.filter((href) => href.startsWith(`${address}?`))
      return [...[...inputs].map(([, name]) => name!), ...(await Promise.all(kinds.map(inputsOf))).flat()]
    }

    it('have an input for every field that can be written, or a reason why not', async () => {
      const { dashboardOperations } = shop.running.app.pipeline
      const catalogue = new Catalogue({ dashboardOperations })
      const settings = SETTINGS.filter(({ get, path }) => get && !path.includes(':')).map(({ path }) => path)
      const pagesOf = (noun: string): string[] => {
        const things = catalogue.of(noun)
        if (!things || (things.create ?? things.update) === null) return settings
        const { path, create, update } = things
        return [...(create ? [`/${path}/new`] : []), ...(update && ids[noun] ? [`/${path}/${ids[noun]}/edit`] : [])]
      }
      const written = Map.groupBy(
        dashboardOperations.filter(({ kind }) => kind === 'create' || kind === 'update'),
        ({ noun }) => noun.name,
      )
      expect(written.size).toBeGreaterThan(25)
      const without: string[] = []
      for (const [noun, operations] of written) {
        const inputs = (await Promise.all(pagesOf(noun).map((page) => inputsOf(BASE + page)))).flat()
        const fields = new Set(operations.flatMap(({ body }) => Object.keys(body ?? {})))
        without.push(...[...fields].filter((name) => !inputs.includes(name)).map((name) => `${noun}.${name}`))
      }
      expect(without.sort()).toEqual(Object.keys(LEFT_OUT).sort())
    })
  })
})
