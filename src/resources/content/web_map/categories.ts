import { CATEGORIES, type Category } from './web_map.ts'

/** Words of a path that say what it is about, in the order in which they decide. */
const WORDS: [Category, readonly string[]][] = [
  [
    'legal',
    words('legal terms tos privacy imprint impressum cookie cookies gdpr refund refunds disclaimer policies policy'),
  ],
  ['blog', words('blog blogs news article articles post posts journal story stories magazine author')],
  [
    'products',
    words('product products shop store pricing prices collection collections catalog catalogue item items cart'),
  ],
  [
    'docs',
    words('doc docs documentation guide guides api reference manual help support faq faqs tutorial tutorials learn'),
  ],
  ['media', words('media image images img gallery photo photos video videos audio podcast podcasts assets uploads')],
]
const MEDIA = /\.(jpe?g|png|gif|svg|webp|avif|ico|mp[34]|webm|ogg|wav|mov|avi)$/
const DOCUMENT = /\.(pdf|docx?|epub|odt)$/
/** Extensions of what a server shows as a page. */
const PAGE = /(^|\/|\/[^/.]*|\.(x?html?|php|aspx?|jsp))$/
/** Deeper paths without a telling word belong to nothing in particular. */
const PAGE_SEGMENTS = 2

/** Each URL under one category, in order; categories without any are absent. */
export function byCategory(urls: readonly string[]): Partial<Record<Category, string[]>> {
  const grouped = Map.groupBy(urls, categoryOf)
  return Object.fromEntries(CATEGORIES.flatMap((name) => (grouped.has(name) ? [[name, grouped.get(name)!]] : [])))
}

/** By the first part of the path that says something: `/blog/our-products` is of the blog. */
export function categoryOf(url: string): Category {
  const path = new URL(url).pathname.toLowerCase()
  if (MEDIA.test(path)) return 'media'
  const segments = path.split('/').filter(Boolean)
  for (const segment of segments) {
    const parts = segment.split(/[^a-z0-9]+/)
    const category = WORDS.find(([, telling]) => parts.some((part) => telling.includes(part)))?.[0]
    if (category) return category
  }
  if (DOCUMENT.test(path)) return 'docs'
  return segments.length <= PAGE_SEGMENTS && PAGE.test(path) ? 'pages' : 'other'
}

function words(text: string): readonly string[] {
  return text.split(' ')
}
