import type { DashboardPage, NamedView } from '../kit/visit.ts'
import { blogCategoryView, blogPostView, preview } from './blog.ts'
import { experiencePages, experienceView } from './experiences.ts'
import { filePages, fileView } from './files.ts'
import { formPages, formView, legalPageView, submissionView } from './forms.ts'

export const CONTENT_PAGES: DashboardPage[] = [preview, ...experiencePages, ...filePages, ...formPages]

export const CONTENT_VIEWS: NamedView[] = [
  blogPostView,
  blogCategoryView,
  experienceView,
  fileView,
  formView,
  submissionView,
  legalPageView,
]
