import { z } from 'zod'
import { integer, structure, text, texts, timestamp } from '../../../contract/declarations/kinds.ts'
import { answerNoun } from '../../../contract/declarations/noun.ts'

export const CATEGORIES = ['pages', 'blog', 'products', 'docs', 'legal', 'media', 'other'] as const
export type Category = (typeof CATEGORIES)[number]

export const MAX_URLS = 500
/** The maximum length of requested and listed URLs in characters. */
export const MAX_URL = 2048

const EXAMPLE = ['https://example.com/', 'https://example.com/blog/hello']

export const WebMap = answerNoun('web_map', {
  group: 'Web',
  area: 'content',
  description: 'The URLs of a site, found without fetching its pages.',
  withoutObject: true,
  fields: {
    url: text('URL that was mapped', { max: MAX_URL, example: 'https://example.com/' }),
    total_urls: integer('Number of URLs returned', { min: 0, max: MAX_URLS, example: EXAMPLE.length }),
    urls: texts('The URLs, in the order found', { max: MAX_URLS, each: MAX_URL, example: EXAMPLE }),
    categorized_urls: structure(
      'object',
      z.partialRecord(z.enum(CATEGORIES), z.array(z.string())),
      'The same URLs, grouped by words in their paths: pages, blog, products, docs, legal, media or other; empty groups are omitted',
      { pages: EXAMPLE.slice(0, 1), blog: EXAMPLE.slice(1) },
    ),
    timestamp: timestamp('When it was mapped'),
  },
})
