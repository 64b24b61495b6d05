# What the forms brought in the last 90 days: submissions, people who never confirmed their address, and who has bought since.
since = (Time.now.utc - 90 * 24 * 60 * 60).iso8601

list("/forms").map do |form|
  submissions = list("/form_submissions", form: form["id"], created_at: { gte: since }, expand: "respondent").to_a
  people = submissions.map { |submission| submission["respondent"] }.compact.uniq { |person| person["id"] }
  choices = submissions.flat_map { |submission| submission["answers"] }
                       .select { |answer| answer["field_type"] == "select" && answer["value"] }
                       .group_by { |answer| answer["label"] }
                       .transform_values { |answers| answers.map { |answer| answer["value"] }.tally }
  {
    form: form["name"],
    status: form["status"],
    submissions: submissions.size,
    unconfirmed: submissions.reject { |submission| submission["confirmed"] }.map { |submission| submission["email"] },
    buyers: people.select { |person| person["customer_type"] == "paid" }.map { |person| person["email"] },
    choices: choices
  }
end
