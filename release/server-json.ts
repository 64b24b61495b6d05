const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

/** Every service has its own host, so the entry names it as a variable that clients ask for. */
const HOST = { host: { description: 'The host of your service', isRequired: true, placeholder: 'shop.example.com' } }

const TOKEN_HEADER = {
  name: 'Authorization',
  description: 'Bearer and an API token of the account',
  isRequired: true,
  isSecret: true,
  value: 'Bearer {token}',
  variables: { token: { description: 'An API token', isRequired: true, isSecret: true } },
}

/** Returns the entry for an MCP registry. Its namespace is a domain of the publisher, backwards. */
export function serverJson(version: string, namespace: string): object {
  return {
    $schema: SCHEMA,
    name: `${namespace}/shopwright`,
    title: 'Shopwright',
    description: 'A commerce backend that agents program: two tools run Ruby programs as transactions',
    version,
    remotes: [
      { type: 'streamable-http', url: 'https://{host}/connect', variables: HOST },
      { type: 'streamable-http', url: 'https://{host}/mcp', variables: HOST, headers: [TOKEN_HEADER] },
    ],
  }
}
