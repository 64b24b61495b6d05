create table blog_categories (
  account_id text not null,
  id text not null,
  name text not null,
  name_key text not null,
  description text,
  slug text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id),
  unique (account_id, name_key),
  unique (account_id, slug)
);

create table blog_posts (
  account_id text not null,
  id text not null,
  title text not null,
  slug text not null,
  content text not null,
  status text not null,
  excerpt text,
  category text,
  published_at text,
  seo_title text,
  seo_description text,
  indexable integer not null,
  featured_image_url text,
  scheduled_at text,
  author text,
  search_text text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id),
  unique (account_id, slug)
);

create index blog_posts_by_category on blog_posts (account_id, category);
