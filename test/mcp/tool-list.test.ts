import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { INSTRUCTIONS, TOOL_LIST } from '../../src/mcp/endpoint/tool-list.ts'

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
