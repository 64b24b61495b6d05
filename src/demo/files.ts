/** The files of the demo shop, which are in the folder of this name; `as` names them. */
export const FILES = [
  { as: 'guide', filename: 'field-guide.png', title: 'The cover of the Field Guide to Paper', tags: ['product'] },
  {
    as: 'guide open',
    filename: 'field-guide-open.png',
    title: 'Two pages of the Field Guide to Paper',
    tags: ['product'],
  },
  {
    as: 'print',
    filename: 'kestrel-print.png',
    title: 'The kestrel that is printed on a printing day',
    tags: ['product'],
  },
  { as: 'patterns', filename: 'pattern-club.png', title: 'Four patterns of the Pattern Club', tags: ['product'] },
  { as: 'spine', filename: 'sewn-spine.webp', title: 'The spine of a book, sewn with red thread', tags: ['product'] },
  { as: 'press', filename: 'studio-press.webp', title: 'The book press of the studio', tags: ['product'] },
  { as: 'sheets', filename: 'grid-templates.webp', title: 'Three sheets: lines, squares and dots', tags: ['product'] },
  { as: 'zine cover', filename: 'zine-cover.webp', title: 'The cover of the zine', tags: ['product'] },
  { as: 'grids', filename: 'grid-templates.pdf', title: 'Grid templates (PDF)', tags: ['download'] },
  { as: 'zine', filename: 'zine.pdf', title: 'A Zine About Mistakes (PDF)', tags: ['download'] },
  { as: 'templates', filename: 'binding-templates.pdf', title: 'Binding templates (PDF)', tags: ['download'] },
] as const

export type FileName = (typeof FILES)[number]['as']

/** The pictures of products, by their slug. */
export const GALLERIES: Record<string, FileName[]> = {
  'field-guide-to-paper': ['guide', 'guide open'],
  'printing-day-at-the-press': ['print'],
  'pattern-club': ['patterns'],
  'bookbinding-in-a-weekend': ['spine'],
  'studio-membership': ['press'],
  'grid-templates': ['sheets'],
  'pay-what-you-like-zine': ['zine cover'],
}
