import type { Contents } from '../resources/content/experience/content.ts'
import type { Shopkeeper } from './shopkeeper.ts'

interface DemoExperience<Type extends keyof Contents> {
  name: string
  description: string
  item_type: Type
  /** The name of the product whose buyers get access. Without a product, the experience is open to everyone. */
  of?: string
  content(shop: Shopkeeper): Contents[Type]
}

type AnyExperience = { [Type in keyof Contents]: DemoExperience<Type> }[keyof Contents]

/** One experience of each type, some for buyers and some open to everyone. */
export const EXPERIENCES: readonly AnyExperience[] = [
  {
    name: 'Bookbinding in a Weekend',
    description: 'Three bindings in two days, with tools that you have at home.',
    item_type: 'course',
    of: 'Bookbinding in a Weekend',
    content: () => ({
      chapters: [
        chapter(1, 'Saturday: sewing', [
          lesson(1, 'Paper and grain', 540, '<p>Fold with the grain, never against it.</p>'),
          lesson(2, 'Coptic stitch', 1380, '<p>Five stations, one thread, no glue.</p>'),
        ]),
        chapter(2, 'Sunday: covers', [
          lesson(3, 'Case binding', 1620, '<p>Boards, cloth and a hollow back.</p>'),
          lesson(4, 'A slipcase', 1140, '<p>Measure the book, not the plan.</p>'),
        ]),
      ],
    }),
  },
  {
    name: 'Binding Templates',
    description: 'Sewing stations and the sizes of boards, to print and cut.',
    item_type: 'download',
    of: 'Bookbinding in a Weekend',
    content: (shop) => ({ files: [shop.named('templates').id] }),
  },
  {
    name: 'Binders’ Table',
    description: 'Where people of the course show what they have made and ask what went wrong.',
    item_type: 'forum',
    of: 'Bookbinding in a Weekend',
    content: () => ({ layout: 'list', topics: ['Show your book', 'Questions about stitches', 'Tools and papers'] }),
  },
  {
    name: 'Field Guide to Paper',
    description: 'The e-book, to read here on any screen.',
    item_type: 'written_content',
    of: 'Field Guide to Paper',
    content: () => ({
      title: 'Field Guide to Paper',
      body_html:
        '<h2>Fibers</h2><p>Cotton is long and calm, wood is short and quick. Hold a sheet against the light and look for clouds.</p><h2>Grain</h2><p>Tear a strip in both directions: it tears straight along the grain.</p>',
    }),
  },
  {
    name: 'Printing Days',
    description: 'When your seat at the press is waiting, and how to find us.',
    item_type: 'event',
    of: 'Printing Day at the Press',
    content: (shop) => ({
      sessions: [
        session('Printing day in the studio', shop.on(12, 14), shop.on(12, 19)),
        session('Printing day in the studio', shop.on(26, 14), shop.on(26, 19)),
      ],
    }),
  },
  {
    name: 'Patterns of the Month',
    description: 'What the club prints this month.',
    item_type: 'download',
    of: 'Pattern Club',
    content: (shop) => ({ files: [shop.named('grids').id] }),
  },
  {
    name: 'Grid Templates',
    description: 'Dots, lines and squares on A4, to print at home.',
    item_type: 'download',
    of: 'Grid Templates',
    content: (shop) => ({ files: [shop.named('grids').id] }),
  },
  {
    name: 'A Zine About Mistakes',
    description: 'Issue 4, to read on a screen or to print and fold.',
    item_type: 'download',
    of: 'Pay What You Like Zine',
    content: (shop) => ({ files: [shop.named('zine').id] }),
  },
  {
    name: 'Studio Hours',
    description: 'When the presses are yours.',
    item_type: 'written_content',
    of: 'Studio Membership',
    content: () => ({
      title: 'Opening hours for members',
      body_html: '<p>Saturday and Sunday from 9 to 18. The door code is in your welcome e-mail.</p>',
    }),
  },
  {
    name: 'Open Studio Days',
    description: 'One evening a month with the printer at hand.',
    item_type: 'event',
    of: 'Studio Membership',
    content: (shop) => ({
      sessions: [
        session('Inking without streaks', shop.on(9, 22), shop.on(9, 25)),
        session('Two colors in register', shop.on(37, 22), shop.on(37, 25)),
      ],
    }),
  },
  {
    name: 'Studio Members',
    description: 'Who is in today, and is the big press free?',
    item_type: 'telegram',
    of: 'Studio Membership',
    content: () => ({ chats: [{ title: 'Kestrel Studio' }, { title: 'Press bookings' }] }),
  },
  {
    name: 'Pattern Club Lounge',
    description: 'The members of the club talk about the patterns of the month.',
    item_type: 'discord',
    of: 'Pattern Club',
    content: () => ({ server_name: 'Kestrel Pattern Club', role_names: ['Member'] }),
  },
  {
    name: 'A Walk Through the Studio',
    description: 'Three minutes among presses, type and cats. Open to everybody.',
    item_type: 'embed',
    content: () => ({ url: 'https://video.kestrel-paper.example/studio-walk' }),
  },
  {
    name: 'Where We Buy Paper',
    description: 'Our list of mills, open to everybody.',
    item_type: 'link',
    content: () => ({
      links: [
        { title: 'A mill that makes cotton paper', url: 'https://cotton-mill.example' },
        { title: 'A shop for book cloth', url: 'https://book-cloth.example' },
      ],
    }),
  },
]

export function slugOf(title: string): string {
  return title.toLowerCase().replace(/[^a-z]+/g, '-')
}

function chapter(number: number, title: string, lessons: ReturnType<typeof lesson>[]) {
  return { id: `chapter-${number}`, title, position: number, lessons }
}

function lesson(number: number, title: string, duration_seconds: number, content_html: string) {
  return { id: `lesson-${number}`, title, position: number, content_html, video_url: null, duration_seconds }
}

function session(title: string, starts_at: string, ends_at: string) {
  return { title, starts_at, ends_at, url: 'https://meet.kestrel-paper.example/studio' }
}
