import { oneOf } from '../../../contract/declarations/kinds.ts'
import { custom } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { LetterPreview, LetterSettings, PREVIEWS, TO_BUYERS, TO_TEAM } from './letter-settings.ts'
import { showPreview } from './preview.ts'
import { setBuyerLetters, setOwnLetters, showLetterSettings } from './settings.ts'

const OF_PEOPLE = { callers: ['session'], answers: LetterSettings } as const

export const letterSettings = resource(LetterSettings, {
  dashboard: [
    custom({
      ...OF_PEOPLE,
      id: 'retrieve_letter_settings',
      method: 'GET',
      path: '/letter_settings',
      summary: 'Show which letters are sent',
      rule: showLetterSettings,
    }),
    custom({
      ...OF_PEOPLE,
      id: 'set_buyer_letters',
      method: 'PATCH',
      path: '/letter_settings',
      summary: 'Choose which letters buyers get',
      body: TO_BUYERS,
      rule: setBuyerLetters,
    }),
    custom({
      ...OF_PEOPLE,
      id: 'set_own_letters',
      method: 'PATCH',
      path: '/own_letters',
      summary: 'Choose which letters you get',
      body: TO_TEAM,
      rule: setOwnLetters,
    }),
  ],
})

export const letterPreviews = resource(LetterPreview, {
  dashboard: [
    custom({
      id: 'preview_letter',
      method: 'GET',
      path: '/letter_preview',
      summary: 'Show a letter with example data',
      answers: LetterPreview,
      query: { letter: oneOf(PREVIEWS, 'Name of the letter').default('receipt') },
      rule: (context, { query }) => showPreview(context, query.letter),
    }),
  ],
})
