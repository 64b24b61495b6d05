import { afterAll, describe, expect, it } from 'vitest'
import { exampleId } from '../../src/contract/declarations/noun.ts'
import type { Operation } from '../../src/contract/declarations/operation.ts'
import { exampleBody } from '../../src/contract/documents/schemas.ts'
import { callTool } from '../mcp/agent.ts'
import { onGateEngine } from '../support/shop.ts'
import { bodyOf, type Ids, stock, stockFor } from '../support/stock.ts'
import { Shell } from './shell.ts'
import { blockOf } from './shown.ts'

type AnyOperation = Operation<never>

describe('The examples of the reference', () => {
  onGateEngine((shop) => {
    let ids: Ids
    const shell = new Shell()
    afterAll(() => shell.close())

    it.each(['ruby run', 'curl'])('work as they are shown, in %s', { timeout: 300_000 }, async (language) => {
      ids = await stock(shop)
      for (const operation of shop.operations as unknown as AnyOperation[]) {
        ids = { ...ids, ...(await stockFor(shop, operation as never)) }
        const shown = await (await fetch(`${shop.running.url}/docs/api/${operation.id}.md`)).text()
        const code = withWhatThereIs(blockOf(shown, language), operation)
        const { done, text } = language === 'curl' ? await runCurl(code, operation) : await runRuby(code)
        expect({ id: operation.id, done, code, text }).toEqual({ id: operation.id, done: true, code, text })
      }
    })

    /** Ids of examples become those of what there is, and values that must be unique become fresh. */
    function withWhatThereIs(code: string, operation: AnyOperation): string {
      const { nouns, presenter } = shop.running.app.pipeline
      const shown = exampleBody(operation, presenter.findNoun) ?? {}
      const working = bodyOf(shop, operation as never, ids) ?? {}
      const fresh = Object.entries(working).filter(
        ([name, value]) => typeof value === 'string' && value !== shown[name],
      )
      for (const [name, value] of fresh) code = code.replaceAll(JSON.stringify(shown[name]), JSON.stringify(value))
      for (const { name, prefix } of nouns)
        if (prefix !== null && ids[name]) code = code.replaceAll(new RegExp(`\\b${exampleId(prefix)}`, 'g'), ids[name])
      return code
    }

    async function runRuby(code: string) {
      const { isError, structuredContent } = await callTool(shop.running, 'code_execute', code)
      const refused = (structuredContent.result as { error?: object } | null)?.error !== undefined
      return { done: !isError && !refused, text: JSON.stringify(structuredContent) }
    }

    async function runCurl(command: string, { status }: AnyOperation) {
      const token = `export SHOPWRIGHT_TOKEN='${shop.running.token}'`
      const printed = await shell.run(`${token}; ${command} --silent --write-out '\\n%{http_code}'`)
      const [, text, answered] = /^([\s\S]*)\n(\d+)$/.exec(printed)!
      return { done: Number(answered) === status, text: text! }
    }
  })
})
