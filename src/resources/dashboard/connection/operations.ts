import { LIST_PARAMETERS } from '../../../contract/requests/query.ts'
import { custom, customList } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { Connection } from './connection.ts'
import { connectionPage, requireConnection, revokeConnection } from './revoke.ts'

const { action } = verbs(Connection)

export const connections = resource(Connection, {
  dashboard: [
    customList({
      id: 'list_connections',
      method: 'GET',
      path: '/connections',
      summary: 'List connections: one’s own, or everybody’s for owners and admins',
      answers: Connection,
      query: LIST_PARAMETERS,
      rule: (context, { query }) => connectionPage(context, query),
    }),
    custom({
      id: 'retrieve_connection',
      method: 'GET',
      path: '/connections/{id}',
      summary: 'Show one connection',
      answers: Connection,
      rule: (context, { path }) => requireConnection(context, path.id),
    }),
    action('revoke', {
      summary: 'End a connection: the next request of the program is refused',
      callers: ['session'],
      evenWhenFull: true,
      rule: revokeConnection,
    }),
  ],
})
