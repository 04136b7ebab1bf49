# Renders each string of a JSON list as Jekyll does: Liquid, then kramdown with
# Jekyll's settings, without highlighting.
require "json"
require "liquid"
require "kramdown"
require "kramdown-parser-gfm"

options = {
  input: "GFM", auto_ids: true, hard_wrap: false, entity_output: "as_char",
  smart_quotes: "lsquo,rsquo,ldquo,rdquo", guess_lang: true, footnote_nr: 1,
  syntax_highlighter: nil
}
html = JSON.parse(STDIN.read).map do |source|
  begin
    source = Liquid::Template.parse(source, error_mode: :strict).render({ "site" => { "title" => "LEAK" } })
    Kramdown::Document.new(source, options).to_html
  rescue StandardError => e
    "#{e.class}: #{e.message}"
  end
end
puts JSON.generate(html)
