import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { toolsJson } from '../../release/tools-json.ts'
import { INSTRUCTIONS, TOOL_LIST } from '../../src/mcp/endpoint/tool-list.ts'
import { ownerOf, tokenOf } from '../dashboard/operations/visitor.ts'
import { Shop } from '../support/shop.ts'
import { askModern } from './modern.ts'

test('the tools array takes at most 285 tokens', () => {
  expect(encode(JSON.stringify(TOOL_LIST)).length).toBeLessThanOrEqual(285)
})

test('the instructions take at most 512 characters and name what makes programs safe', () => {
  expect(INSTRUCTIONS.length).toBeLessThanOrEqual(512)
  for (const fact of ['describe(', 'one transaction', 'list()', 'dry-run', 'plan', 'minor units', '`# once: key`'])
    expect(INSTRUCTIONS).toContain(fact)
})

test('there are exactly two tools, with one argument each and honest annotations', () => {
  expect(TOOL_LIST.map(({ name, inputSchema, annotations }) => ({ name, inputSchema, annotations }))).toEqual([
    {
      name: 'code_search',
      inputSchema: { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    {
      name: 'code_execute',
      inputSchema: { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] },
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    },
  ])
})

test('tools/list answers the bytes that a release names, after each start, to every account, token and revision', async () => {
  for (const start of [1, 2]) {
    const shop = new Shop()
    await shop.open('sqlite', {})
    const { url, token, another } = shop.running
    const proposing = await tokenOf(shop, ownerOf(shop), 'propose')
    const reading = await tokenOf(shop, ownerOf(shop), 'read')
    const tokens = [token, proposing, reading, (await another(`start-${start}`)).token]
    const answers = await Promise.all(
      tokens.flatMap((token) => [
        askModern({ url, token }, 'tools/list', {}),
        ...['2025-03-26', '2025-06-18', '2025-11-25'].map((revision) => askLegacy({ url, token }, revision)),
      ]),
    )
    expect(answers).toHaveLength(16)
    for (const { text } of answers) expect(text).toContain(`"tools":${toolsJson()}`)
    await shop.close()
  }
})

async function askLegacy({ url, token }: { url: string; token: string }, revision: string): Promise<{ text: string }> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'mcp-protocol-version': revision,
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  return { text: await (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).text() }
}
