import { LIST_PARAMETERS } from '../../../contract/requests/query.ts'
import { custom, customList } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { requireVisible, visiblePage } from '../sight.ts'
import { Connection } from './connection.ts'
import { revokeConnection } from './revoke.ts'

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
      // Revoked ones stay in the table because program runs refer to them.
      rule: (context, { query }) =>
        visiblePage(context, Connection, query, (all) => all.where('status', '=', 'active')),
    }),
    custom({
      id: 'retrieve_connection',
      method: 'GET',
      path: '/connections/{id}',
      summary: 'Show one connection',
      answers: Connection,
      rule: (context, { path }) => requireVisible(context, Connection, path.id),
    }),
    action('revoke', {
      summary: 'End a connection: the next request of the program is refused',
      callers: ['session'],
      evenWhenFull: true,
      rule: revokeConnection,
    }),
  ],
})
