import type { Tool } from '@modelcontextprotocol/server'

const inputSchema = {
  type: 'object' as const,
  properties: { code: { type: 'string' as const } },
  required: ['code'],
}

/** What `tools/list` answers. Every word of it is read by every agent in every conversation: see the token budget's test. */
export const TOOL_LIST: Tool[] = [
  {
    name: 'code_search',
    description:
      'Find API operations with Ruby. `tools` is an array of hashes: :method, :path, :summary, :description, :tags, ' +
      ':parameters, :request_body. `resources["customer"]` has its fields. ' +
      'E.g. tools.select { |t| t[:path].include?("discount") }',
    inputSchema,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  {
    name: 'code_execute',
    description:
      'Run Ruby on the live API as one transaction: get, post, patch, delete(path, **params), ' +
      'e.g. post("/customers?expand=tags", email: "a@b.co"). list(path, **filters) has all rows, get(path)["data"] a page ' +
      '(starting_after). Refused calls raise for all but ["error"]. ' +
      '`# dry_run: true` on line 1 answers a plan; `# apply: plan_…` commits it.',
    inputSchema,
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  },
]

/** What `initialize` and `server/discover` tell of the server; some clients show it to the model. */
export const INSTRUCTIONS =
  'Shopwright runs a shop: products, prices, customers, orders, subscriptions, content and more. Find operations with ' +
  'code_search, then do a whole task in one code_execute program and return a small result. A program is one ' +
  'transaction: it commits at its end or not at all. list() reads whole lists; get() reads one page. Before risky ' +
  'changes, dry-run the program, show what would change, and apply the plan. Amounts are integers in minor units.'
