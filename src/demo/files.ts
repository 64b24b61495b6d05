/** The files of the demo shop, which are in the folder of this name; `as` names them. */
export const FILES = [
  { as: 'notebook', filename: 'field-notebook.png', title: 'Field Notebook, closed', tags: ['product'] },
  { as: 'notebook open', filename: 'field-notebook-open.png', title: 'Field Notebook, open', tags: ['product'] },
  { as: 'print', filename: 'kestrel-print.png', title: 'Letterpress Print: Kestrel', tags: ['product'] },
  { as: 'parcel', filename: 'paper-club-parcel.png', title: 'A parcel of the Paper Club', tags: ['product'] },
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
  'field-notebook': ['notebook', 'notebook open'],
  'letterpress-print-kestrel': ['print'],
  'paper-club': ['parcel'],
  'bookbinding-in-a-weekend': ['spine'],
  'studio-membership': ['press'],
  'grid-templates': ['sheets'],
  'pay-what-you-like-zine': ['zine cover'],
}
