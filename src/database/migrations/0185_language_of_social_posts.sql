-- Null: nobody has said which language a post is in.
alter table social_posts add column language text;
