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
      ':parameters, :request_body. E.g. tools.select { |t| t[:path].include?("discount") }',
    inputSchema,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  {
    name: 'code_execute',
    description:
      'Run Ruby on the live API: get, post, patch, delete(path, **params), e.g. get("/products", limit: 100)["data"]. ' +
      'Lists have has_more; refused calls return ["error"]. One transaction: an exception undoes all. ' +
      'First line `# dry_run: true` previews.',
    inputSchema,
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  },
]

/** What `initialize` and `server/discover` tell of the server; some clients show it to the model. */
export const INSTRUCTIONS =
  'Shopwright runs a shop: products, prices, customers, orders, subscriptions, discounts, content and more. ' +
  'Find operations with code_search, then do a whole task in one code_execute program: read, decide, write, and return a ' +
  'small result. Everything stays inside the account of the API token. Amounts are integers in minor units (cents). ' +
  'Follow has_more with starting_after for totals over whole lists.'
