import type { Contents } from '../resources/content/experience/content.ts'
import type { FileName } from './files.ts'

/** What content refers to: files by their names, and hours (in UTC) by the days from that of the first start. */
interface References {
  file(name: FileName): string
  on(days: number, hour: number): string
}

interface Written<Type extends keyof Contents> {
  name: string
  slug: string
  description: string
  access_type: 'secret' | 'open'
  item_type: Type
  /** Names of the products whose buyers get it, or of one price as `product, price`. */
  of: string[]
  content(references: References): Contents[Type]
}

type AnyWritten = { [Type in keyof Contents]: Written<Type> }[keyof Contents]

/** What buyers of the demo shop get access to, and what it shows to everybody: one of each type. */
export const EXPERIENCES: readonly AnyWritten[] = [
  {
    name: 'Bookbinding in a Weekend',
    slug: 'bookbinding-in-a-weekend',
    description: 'Three bindings in two days, with tools that you have at home.',
    access_type: 'secret',
    item_type: 'course',
    of: ['Bookbinding in a Weekend'],
    content: () => ({
      chapters: [
        {
          id: 'chapter-1',
          title: 'Saturday: sewing',
          position: 1,
          lessons: [
            lesson(1, 'Paper and grain', 540, '<p>Fold with the grain, never against it.</p>'),
            lesson(2, 'Coptic stitch', 1380, '<p>Five stations, one thread, no glue.</p>'),
          ],
        },
        {
          id: 'chapter-2',
          title: 'Sunday: covers',
          position: 2,
          lessons: [
            lesson(3, 'Case binding', 1620, '<p>Boards, cloth and a hollow back.</p>'),
            lesson(4, 'A slipcase', 1140, '<p>Measure the book, not the plan.</p>'),
          ],
        },
      ],
    }),
  },
  {
    name: 'Binding Templates',
    slug: 'binding-templates',
    description: 'Sewing stations and the sizes of boards, to print and cut.',
    access_type: 'secret',
    item_type: 'download',
    of: ['Bookbinding in a Weekend'],
    content: ({ file }) => ({ files: [file('templates')] }),
  },
  {
    name: 'Binders’ Table',
    slug: 'binders-table',
    description: 'Where people of the course show what they have made and ask what went wrong.',
    access_type: 'secret',
    item_type: 'forum',
    of: ['Bookbinding in a Weekend'],
    content: () => ({ layout: 'list', topics: ['Show your book', 'Questions about stitches', 'Tools and papers'] }),
  },
  {
    name: 'Field Guide to Paper',
    slug: 'field-guide-to-paper',
    description: 'The e-book, to read here on any screen.',
    access_type: 'secret',
    item_type: 'written_content',
    of: ['Field Guide to Paper'],
    content: () => ({
      title: 'Field Guide to Paper',
      body_html:
        '<h2>Fibers</h2><p>Cotton is long and calm, wood is short and quick. Hold a sheet against the light and look for clouds.</p><h2>Grain</h2><p>Tear a strip in both directions: it tears straight along the grain.</p>',
    }),
  },
  {
    name: 'Printing Days',
    slug: 'printing-days',
    description: 'When your seat at the press is waiting, and how to find us.',
    access_type: 'secret',
    item_type: 'event',
    of: ['Printing Day at the Press'],
    content: ({ on }) => ({
      sessions: [
        session('Printing day in the studio', on(12, 14), on(12, 19)),
        session('Printing day in the studio', on(26, 14), on(26, 19)),
      ],
    }),
  },
  {
    name: 'Patterns of the Month',
    slug: 'patterns-of-the-month',
    description: 'What the club prints this month.',
    access_type: 'secret',
    item_type: 'download',
    of: ['Pattern Club'],
    content: ({ file }) => ({ files: [file('grids')] }),
  },
  {
    name: 'Grid Templates',
    slug: 'grid-templates',
    description: 'Dots, lines and squares on A4, to print at home.',
    access_type: 'secret',
    item_type: 'download',
    of: ['Grid Templates'],
    content: ({ file }) => ({ files: [file('grids')] }),
  },
  {
    name: 'A Zine About Mistakes',
    slug: 'a-zine-about-mistakes',
    description: 'Issue 4, to read on a screen or to print and fold.',
    access_type: 'secret',
    item_type: 'download',
    of: ['Pay What You Like Zine'],
    content: ({ file }) => ({ files: [file('zine')] }),
  },
  {
    name: 'Studio Hours',
    slug: 'studio-hours',
    description: 'When the presses are yours.',
    access_type: 'secret',
    item_type: 'written_content',
    of: ['Studio Membership'],
    content: () => ({
      title: 'Opening hours for members',
      body_html: '<p>Saturday and Sunday from 9 to 18. The door code is in your welcome e-mail.</p>',
    }),
  },
  {
    name: 'Open Studio Days',
    slug: 'open-studio-days',
    description: 'One evening a month with the printer at hand.',
    access_type: 'secret',
    item_type: 'event',
    of: ['Studio Membership'],
    content: ({ on }) => ({
      sessions: [
        session('Inking without streaks', on(9, 22), on(9, 25)),
        session('Two colors in register', on(37, 22), on(37, 25)),
      ],
    }),
  },
  {
    name: 'Studio Members',
    slug: 'studio-members',
    description: 'Who is in today, and is the big press free?',
    access_type: 'secret',
    item_type: 'telegram',
    of: ['Studio Membership'],
    content: () => ({ chats: [{ title: 'Kestrel Studio' }, { title: 'Press bookings' }] }),
  },
  {
    name: 'Pattern Club Lounge',
    slug: 'pattern-club-lounge',
    description: 'The members of the club talk about the patterns of the month.',
    access_type: 'secret',
    item_type: 'discord',
    of: ['Pattern Club'],
    content: () => ({ server_name: 'Kestrel Pattern Club', role_names: ['Member'] }),
  },
  {
    name: 'A Walk Through the Studio',
    slug: 'a-walk-through-the-studio',
    description: 'Three minutes among presses, type and cats. Open to everybody.',
    access_type: 'open',
    item_type: 'embed',
    of: [],
    content: () => ({ url: 'https://video.kestrel-paper.example/studio-walk' }),
  },
  {
    name: 'Where We Buy Paper',
    slug: 'where-we-buy-paper',
    description: 'Our list of mills, open to everybody.',
    access_type: 'open',
    item_type: 'link',
    of: [],
    content: () => ({
      links: [
        { title: 'A mill that makes cotton paper', url: 'https://cotton-mill.example' },
        { title: 'A shop for book cloth', url: 'https://book-cloth.example' },
      ],
    }),
  },
]

function lesson(number: number, title: string, duration_seconds: number, content_html: string) {
  return { id: `lesson-${number}`, title, position: number, content_html, video_url: null, duration_seconds }
}

function session(title: string, starts_at: string, ends_at: string) {
  return { title, starts_at, ends_at, url: 'https://meet.kestrel-paper.example/studio' }
}
