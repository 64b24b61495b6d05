-- Which letters an account sends to its buyers, where `user_id` is empty, and which ones a person of the team wants. What nobody has
-- chosen is as the letter is by itself.
create table letter_choices (
  account_id text not null,
  user_id text not null,
  letter text not null,
  wanted integer not null,
  primary key (account_id, user_id, letter)
);

-- What the team is written about next: the job that does it, from when on things count, and when it was last done.
create table letter_turns (
  account_id text not null,
  letter text not null,
  job text,
  since text not null,
  last_at text,
  primary key (account_id, letter)
);

-- What e-mails said, sealed and without the secrets of their links. Kept as long as the e-mail.
create table email_bodies (
  account_id text not null,
  id text not null,
  sealed text not null,
  created_at text not null,
  primary key (account_id, id)
);
create index email_bodies_created on email_bodies (created_at);

-- Where a reader of a letter to the team says that it is not wanted.
alter table emails add column stop_url text;

-- The job that tells a buyer of the next renewal or of the end of a trial.
alter table subscriptions add column notice_job text;
