import { keysOf } from '../../../contract/values/keys.ts'
import { WRITTEN } from '../../../resources/content/experience/experience.ts'
import { CONTENT_FIELDS, type ItemType } from '../../../resources/content/experience/written.ts'
import { view } from '../kit/visit.ts'
import { valueTitle } from '../kit/words.ts'

const WORDS: Record<ItemType, string> = {
  course: 'Chapters with lessons: texts and videos.',
  download: 'Files that buyers can download.',
  written_content: 'A text that only buyers can read.',
  embed: 'A page on another service.',
  link: 'Links to pages that you share with buyers.',
  discord: 'A place in your Discord server.',
  telegram: 'Telegram chats that buyers can join.',
  event: 'Events with dates and a place to join.',
  forum: 'A space where members talk to each other.',
}

const { slug, ...FIRST } = WRITTEN

const KINDS = keysOf(WORDS).map((value) => {
  const fields = { ...FIRST, ...CONTENT_FIELDS[value], slug }
  return { value, title: valueTitle(value), words: WORDS[value], fields }
})

export const experienceView = view('experience', {
  columns: ['name', 'item_type', 'access_type', 'created_at'],
  lead: 'What buyers get access to. Add them to the prices of your products.',
  labels: { access_type: 'Access', item_type: 'Kind' },
  form: {
    groups: [],
    kinds: { field: 'item_type', parameter: 'kind', lead: 'What do buyers get access to?', offered: async () => KINDS },
    // The fields of the content are those of the form.
    filled: (values) => ({ ...values.content, ...values }),
  },
})
