#!/usr/bin/env bash
# Puts benchpost on the path of the steps that follow: a release, compared with its checksums, or
# what the action itself was checked out from.
set -euo pipefail
bin="$RUNNER_TEMP/benchpost-bin"
mkdir -p "$bin"
tag='^v[0-9]+\.[0-9]+\.[0-9]+'
if [ -z "$VERSION" ] && [[ "$REF" =~ $tag ]]; then
  VERSION=$REF
fi
if [ -z "$VERSION" ]; then
  CGO_ENABLED=0 go build -C "$GITHUB_ACTION_PATH/../.." -trimpath -o "$bin/" ./cmd/benchpost
else
  case "$RUNNER_OS" in
    Linux) os=linux ending=tar.gz ;;
    macOS) os=darwin ending=tar.gz ;;
    Windows) os=windows ending=zip ;;
    *) echo "::error::there is no benchpost for $RUNNER_OS"; exit 1 ;;
  esac
  case "$RUNNER_ARCH" in
    X64) arch=amd64 ;;
    ARM64) arch=arm64 ;;
    *) echo "::error::there is no benchpost for $RUNNER_ARCH"; exit 1 ;;
  esac
  name="benchpost-$VERSION-$os-$arch"
  from="${GITHUB_SERVER_URL:-https://github.com}/$REPOSITORY/releases/download/$VERSION"
  sum() { if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }
  cd "$(mktemp -d)"
  for file in SHA256SUMS "$name.$ending"; do
    curl --fail --silent --show-error --location --retry 3 --output "$file" "$from/$file" ||
      { echo "::error::$from/$file cannot be fetched: is $VERSION a release?"; exit 1; }
  done
  if [ -n "$SHA256" ] && [ "$(sum SHA256SUMS | cut -d ' ' -f 1)" != "$SHA256" ]; then
    echo "::error::SHA256SUMS of $VERSION is not the file that the input sha256 names"
    exit 1
  fi
  if ! grep -F "  $name.$ending" SHA256SUMS | sum --check --status; then
    echo "::error::$name.$ending is not what SHA256SUMS says"
    exit 1
  fi
  if [ "$ending" = zip ]; then
    unzip -q "$name.zip"
    mv "$name/benchpost.exe" "$bin/"
  else
    tar -xzf "$name.tar.gz"
    mv "$name/bin/benchpost" "$bin/"
  fi
fi
echo "$bin" >> "$GITHUB_PATH"
"$bin/benchpost" version
