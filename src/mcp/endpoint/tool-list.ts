import type { Tool } from '@modelcontextprotocol/server'

const inputSchema = {
  type: 'object' as const,
  properties: { code: { type: 'string' as const } },
  required: ['code'],
}

/** Agents read the whole list in every conversation, so a test limits its number of tokens. */
export const TOOL_LIST: Tool[] = [
  {
    name: 'code_search',
    description:
      'Look up the API with Ruby: describe("refund part of an order"), describe("order", "POST /refunds"), or describe ' +
      'for the map. As data: `tools`, hashes with :method, :path, :summary, :description, :tags, :parameters, ' +
      ':request_body, and `resources["customer"]`.',
    inputSchema,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  {
    name: 'code_execute',
    description:
      'Run Ruby on the live API as one transaction: get, post, patch, delete(path, **params), ' +
      'e.g. post("/customers?expand=tags", email:). list(path, **filters): all rows; get: a page ' +
      '(starting_after). A refused call returns only ["error"]; reading more raises. ' +
      'First line `# dry_run: true` plans, `# apply: plan_…` commits it. ' +
      'describe("programs"): local time, background work.',
    inputSchema,
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  },
]

/** The instructions in `initialize` and `server/discover`; some clients show them to the model. */
export const INSTRUCTIONS =
  'Shopwright runs a shop: products, orders, customers, posts and more. One code_search is usually enough: ' +
  'describe("each part of the task", "order") in plain words. Then do the whole task in one code_execute program and return a small ' +
  'result. A program is one transaction: it commits at its end or not at all, and errors say what is right; with `# once: key`, at most ' +
  'once. list() reads whole lists. Before risky changes, dry-run it, show what would change, and apply the plan. ' +
  'Amounts are integers in minor units.'
