import { equals, filterSeveral } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { ApiRequest } from './api_request.ts'
import { deriveRequests } from './show.ts'

const { list, retrieve } = verbs(ApiRequest)

export const apiRequests = resource(ApiRequest, {
  derive: deriveRequests,
  dashboard: [
    list({
      summary: 'List the latest requests',
      filters: {
        method: equals(ApiRequest, 'method'),
        transport: equals(ApiRequest, 'transport'),
        operation: equals(ApiRequest, 'operation'),
        error_code: equals(ApiRequest, 'error_code'),
        token_id: filterSeveral(ApiRequest.fields.token_id, 'Only requests of these tokens', (query, ids) =>
          query.where('caller', 'in', ids),
        ),
      },
    }),
    retrieve({ summary: 'Show one request' }),
  ],
})
