import { integer, text } from '../../../contract/declarations/kinds.ts'
import { outside } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { entryOf, mapWeb } from './map.ts'
import { MAX_URL, MAX_URLS, WebMap } from './web-map.ts'

export const webMaps = resource(WebMap, {
  operations: [
    outside({
      id: 'map_web',
      method: 'POST',
      path: '/web/map',
      summary: 'Discover the URLs of a site without fetching their content',
      description:
        'Reads robots.txt, the sitemaps, then the links on the page at the URL, for at most 10 seconds and 5 MB. Lists only URLs of the same registered domain, including its other hosts. Costs 1 credit if it finds something, even in a program that fails later; without credits, 402. A site that cannot be read, or that robots.txt disallows, is 502.',
      answers: WebMap,
      rate: 'slow',
      spendsCredits: true,
      inTurn: true,
      body: {
        url: text('URL of the site, http or https; https:// is added to a bare host name', {
          max: MAX_URL,
          example: 'https://example.com',
        }).required(),
        // The former name `limit` is also accepted.
        max_urls: integer('Number of URLs to list at most', { min: 1, max: MAX_URLS, example: 50 })
          .default(50)
          .writtenAs('limit'),
      },
      checks: [
        { fields: ['url'], check: ({ services }, { url }) => url !== undefined && entryOf(url, services.web.outside) },
      ],
      rule: mapWeb,
    }),
  ],
})
