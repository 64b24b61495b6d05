import { beforeAll, describe, expect, it } from 'vitest'
import { PRODUCT } from '../../src/assembly.ts'
import { onEachEngine, type Shop } from '../support/shop.ts'
import { bodyOf, type Ids, pathOf, prepare, stock } from '../support/stock.ts'
import { execute } from '../tasks/support.ts'

const { shop: resources } = PRODUCT

const creates = resources
  .flatMap(({ operations }) => operations)
  .filter(({ kind, outside }) => kind === 'create' && !outside)

describe('A plan can be applied right after it was made', () => {
  onEachEngine((shop) => {
    let ids: Ids
    beforeAll(async () => {
      ids = await stock(shop)
    })

    it.each(creates.map((operation) => [operation.id, operation] as const))('of %s', async (_, operation) => {
      await prepare(shop, operation, ids)
      const body = JSON.stringify(bodyOf(shop, operation, ids) ?? {})
      const literal = JSON.stringify(body).replaceAll('#', '\\#')
      await applies(
        shop,
        `made = post("${pathOf(operation, ids)}", JSON.parse(${literal}))\nmade["id"] || made["object"]`,
      )
    })

    it.each(['manual', 'schedule', 'event'])('of a %s task', async (trigger_type) => {
      const more = { manual: '', schedule: ', cron_expression: "0 8 * * *"', event: ', event_types: ["order.paid"]' }[
        trigger_type
      ]
      for (const prompt of ['# ruby\\nputs 1', 'Write a report.'])
        await applies(
          shop,
          `post("/tasks", name: "Planned", prompt: ${JSON.stringify(prompt).replaceAll('#', '\\#').replaceAll('\\\\', '\\')}, trigger_type: "${trigger_type}"${more})["id"]`,
        )
    })
  })
})

async function applies(shop: Shop, program: string): Promise<void> {
  const { plan, error } = await execute(shop, `# dry_run: true\n${program}`)
  expect(error).toBeUndefined()
  expect(plan).toMatch(/^plan_/)
  const applied = await execute(shop, `# apply: ${plan}`)
  expect(applied.differences ?? applied.error).toBeUndefined()
  expect(applied).toMatchObject({ committed: 'all' })
}
